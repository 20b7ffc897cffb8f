"""How messages say what is wrong with a text that does not parse."""

from __future__ import annotations

from typing import Final

JSON_WORDS: Final = {
    "comma-extra": "This comma is one too many: JSON has none before a closing bracket.",
    "comma-missing": "A comma is missing behind this value.",
    "comment": "JSON has no comments; remove it, or keep the note under a key such as “notes”.",
    "quotes": "JSON knows double quotation marks only; put the text between those.",
    "key": "Keys stand in double quotation marks in JSON.",
    "literal": "JSON writes true, false and null in lower case.",
    "word": "This is no JSON value; put a text in double quotation marks.",
    "colon": "A colon is missing between the key and its value.",
    "value": "A value is missing here.",
    "inner-quote": 'This quotation mark ends the text too early; write one inside a text as \\".',
    "line-break": "A text can't go on on the next line in JSON; write the line break as \\n.",
    "string-open": "The text that begins here is not closed; put a quotation mark at its end.",
    "control": "A tab or control character can't stand in a text; write it as \\t or \\u….",
    "escape": "JSON has no such escape; write a backslash as \\\\.",
    "unclosed": "Nothing closes this bracket.",
    "bracket": "This bracket does not close the one that is open here.",
    "bracket-extra": "This bracket closes nothing; remove it, or the one too many before it.",
    "second-value": "JSON ends before this place, and more text follows; a file holds one value.",
    "across-lines": "In JSON Lines a value ends with its line; write each case on one line.",
    "bom": "A byte order mark stands before the text, at which JSON readers stop; remove it.",
    "conflict": "A merge-conflict marker was left here; resolve the conflict.",
    "depth": "The values are nested deeper than any tool reads.",
    "empty": "The file is empty; it needs a list of cases.",
    "other": "JSON can't be read from here on.",
}
YAML_WORDS: Final = {
    "colon": "This colon begins a new key for YAML; put the value in quotation marks.",
    "indicator": "A value can't begin with this character; put it in quotation marks.",
    "bracket": "This bracket begins a list or a mapping that is not closed, or goes on behind it.",
    "quote": "The text in quotation marks is not closed, or goes on behind them.",
    "escape": "YAML has no such escape; write the backslash twice, or use single quotes.",
    "tab": "YAML is indented with blanks, never with tabs.",
    "control": "YAML does not allow this character.",
    "separator": "YAML takes this character for a line break.",
    "conflict": "A merge-conflict marker was left here; resolve the conflict.",
    "comment": "A value of several lines is cut off by “ #”; put it in quotation marks.",
    "blank": "A blank is missing behind the colon.",
    "stray": "This line is neither a key nor part of the value above.",
    "indent": "This line does not fit what stands above it: check its indentation, and that the"
    " line above has a colon.",
    "depth": "The values are nested deeper than any tool reads.",
    "second-document": "A second document begins here; tools read one.",
    "anchor": "This refers to an anchor that is not there.",
    "empty": "The file is empty; it needs a list of cases.",
    "other": "YAML can't be read from here on.",
}
TITLES: Final = {
    "comma-extra": "Remove the comma",
    "comma-missing": "Add a comma",
    "comment": "Remove the comment",
    "quotes": "Put it in double quotation marks",
    "key": "Put the keys in double quotation marks",
    "literal": "Write it as JSON does",
    "inner-quote": "Escape the quotation marks inside",
    "line-break": "Write the line breaks as \\n",
    "control": "Write the character as an escape",
    "escape": "Mend the escape",
    "bracket-extra": "Remove the bracket",
    "bom": "Remove the byte order mark",
    "tab": "Indent with blanks",
    "blank": "Put a blank behind the colon",
}
"""What a fix is called; one that has no name here puts a value in quotation marks."""
