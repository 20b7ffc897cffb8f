#!/usr/bin/env python3
"""Profile a CSV file: rows, column types, gaps, distinct values, ranges and broken rows."""

from __future__ import annotations

import argparse
import contextlib
import csv
import itertools
import json
import re
import sys
from datetime import date
from typing import TextIO

MAX_DISTINCT = 100_000
MAX_EXAMPLES = 5
MAX_BROKEN_ROWS = 20
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
INTEGER = re.compile(r"[+-]?\d+")
NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?")
ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class ProfileError(Exception):
    """The file cannot be profiled; the message says why."""


def type_of(value: str) -> str:
    """Return the type that a value is spelled as."""
    if INTEGER.fullmatch(value):
        return "integer"
    if NUMBER.fullmatch(value):
        return "number"
    if value.lower() in ("true", "false"):
        return "boolean"
    if ISO_DATE.fullmatch(value):
        with contextlib.suppress(ValueError):
            date.fromisoformat(value)
            return "date"
    return "text"


class Column:
    """Running counts for one column."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.missing = 0
        self.types: dict[str, int] = {}
        self.examples: dict[str, list[str]] = {}
        self.distinct: set[str] = set()
        self.exact = True
        self.extremes: dict[str, tuple[str, str]] = {}

    def add(self, value: str) -> None:
        """Count one value."""
        value = value.strip()
        if not value:
            self.missing += 1
            return
        kind = type_of(value)
        self.types[kind] = self.types.get(kind, 0) + 1
        shown = self.examples.setdefault(kind, [])
        if len(shown) < MAX_EXAMPLES and value not in shown:
            shown.append(value)
        if len(self.distinct) < MAX_DISTINCT:
            self.distinct.add(value)
        elif value not in self.distinct:
            self.exact = False
        low, high = self.extremes.get(kind, (value, value))
        self.extremes[kind] = (min(low, value, key=order), max(high, value, key=order))

    def type(self) -> str:
        """Return the one type that fits every value."""
        kinds = set(self.types)
        if kinds == {"integer", "number"}:
            return "number"
        if len(kinds) == 1:
            return kinds.pop()
        return "text" if kinds else "empty"

    def range(self) -> tuple[str, str]:
        """Return the lowest and the highest value, compared in the column's type."""
        if not self.extremes:
            return "", ""
        ends = [end for pair in self.extremes.values() for end in pair]
        key = order if self.type() in ("integer", "number") else str
        return min(ends, key=key), max(ends, key=key)

    def report(self) -> dict[str, object]:
        """Return the counts as plain data."""
        lowest, highest = self.range()
        odd: list[str] = []
        if self.type() == "text" and len(self.types) > 1:
            usual = max(self.types, key=lambda kind: self.types[kind])
            odd = [value for kind, shown in self.examples.items() if kind != usual for value in shown]
        return {
            "name": self.name,
            "type": self.type(),
            "types": self.types,
            "missing": self.missing,
            "distinct": len(self.distinct),
            "distinct_is_exact": self.exact,
            "lowest": lowest,
            "highest": highest,
            "odd_values": odd[:MAX_EXAMPLES],
        }


def order(value: str) -> tuple[float, str]:
    """Sort key: numbers by size, everything else by spelling."""
    return (float(value), "") if NUMBER.fullmatch(value) else (0.0, value)


def choose_delimiter(header: str) -> str:
    """Return the delimiter that occurs most often in the header line, a comma if none does."""
    return max(DELIMITERS.values(), key=header.count)


def profile(text: TextIO, delimiter: str | None, max_rows: int) -> dict[str, object]:
    """Read rows from a text stream and return their profile."""
    first = text.readline()
    if not first.strip():
        raise ProfileError("has no header row")
    chosen = delimiter or choose_delimiter(first)
    reader = csv.reader(itertools.chain([first], text), delimiter=chosen)
    columns = [Column(name.strip()) for name in next(reader)]
    rows = repeated = 0
    seen: set[int] = set()
    broken: list[dict[str, int]] = []
    broken_count = 0
    truncated = False
    for row in reader:
        if not row:
            continue
        if rows == max_rows:
            truncated = True
            break
        rows += 1
        if len(row) != len(columns):
            broken_count += 1
            if len(broken) < MAX_BROKEN_ROWS:
                broken.append({"line": reader.line_num, "fields": len(row)})
            continue
        fingerprint = hash(tuple(row))
        repeated += fingerprint in seen
        seen.add(fingerprint)
        for column, value in zip(columns, row):
            column.add(value)
    return {
        "rows": rows,
        "delimiter": chosen,
        "truncated": truncated,
        "repeated_rows": repeated,
        "broken_row_count": broken_count,
        "broken_rows": broken,
        "columns": [column.report() for column in columns],
    }


def cell(value: object) -> str:
    """Return a value as one short line."""
    return " ".join(str(value).split())[:40]


def as_table(result: dict[str, object]) -> str:
    """Lay the profile out for reading."""
    head = ["column", "type", "missing", "distinct", "lowest", "highest"]
    keys = ["name", "type", "missing", "distinct", "lowest", "highest"]
    table = [head] + [[cell(column[key]) for key in keys] for column in result["columns"]]
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    lines = [
        "{} rows{}, {} columns, delimiter {!r}, {} broken rows, {} repeated rows".format(
            result["rows"],
            " (truncated)" if result["truncated"] else "",
            len(result["columns"]),
            result["delimiter"],
            result["broken_row_count"],
            result["repeated_rows"],
        )
    ]
    for row in table:
        lines.append("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
    lines += [f"line {row['line']}: {row['fields']} fields" for row in result["broken_rows"]]
    return "\n".join(lines)


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", help="CSV file with a header row, or - for standard input")
    parser.add_argument("--format", choices=["text", "json"], default="text", help="default: text")
    parser.add_argument(
        "--delimiter", help="one character, or comma, semicolon, tab, pipe; default: by the header"
    )
    parser.add_argument("--encoding", default="utf-8-sig", help="default: utf-8")
    parser.add_argument(
        "--max-rows", type=int, default=1_000_000, help="rows to read at most; default: 1000000"
    )
    options = parser.parse_args(arguments)
    if options.delimiter:
        options.delimiter = DELIMITERS.get(options.delimiter, options.delimiter)
        if len(options.delimiter) != 1:
            parser.error("--delimiter takes one character, or comma, semicolon, tab, pipe")
    if options.max_rows < 1:
        parser.error("--max-rows takes a number above zero")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = parse_arguments(arguments)
    try:
        if options.path == "-":
            sys.stdin.reconfigure(encoding=options.encoding, newline="")
            result = profile(sys.stdin, options.delimiter, options.max_rows)
        else:
            with open(options.path, encoding=options.encoding, newline="") as stream:
                result = profile(stream, options.delimiter, options.max_rows)
    except FileNotFoundError:
        problem = "no such file"
    except UnicodeDecodeError as error:
        problem = f"cannot decode byte {error.start} as {error.encoding}"
    except (OSError, LookupError, csv.Error, ProfileError) as error:
        problem = str(error)
    else:
        print(json.dumps(result, indent=2) if options.format == "json" else as_table(result))
        return 0
    print(f"{options.path}: {problem}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
