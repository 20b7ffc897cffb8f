"""Makes a tokenizer of a GGUF file's own vocabulary: byte-level BPE, as the model was trained with.

Control tokens such as “<|im_start|>” are not special: text is text, and none of it drives the
model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.export.gguf_file import GGUF, BrokenGGUF

_ENDINGS: Final = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+"
_REST: Final = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def tokenizer(file: GGUF) -> str:
    """Return the tokenizer of a file as JSON."""
    kind = str(file.get("tokenizer.ggml.model", str))
    before = str(file.get("tokenizer.ggml.pre", str, "default"))
    if kind != "gpt2" or before not in _BEFORE:
        known = ", ".join(_BEFORE)
        raise ScorerError(f"The tokenizer “{kind}/{before}” can't be used: gpt2 with {known} can")
    tokens: list[str] = file.get("tokenizer.ggml.tokens", list)
    merges: list[str] = file.get("tokenizer.ggml.merges", list)
    pairs = [tuple(merge.split(" ")) for merge in merges]
    if any(len(pair) != 2 for pair in pairs):
        raise BrokenGGUF("The model's tokenizer has merges that are no pairs")
    vocabulary = {token: index for index, token in enumerate(tokens)}
    whole = before == "llama-bpe"
    try:
        made = Tokenizer(models.BPE(vocabulary, pairs, ignore_merges=whole))  # type: ignore[arg-type]
    except Exception as error:  # the library raises plain Exception for a merge of unknown tokens
        raise BrokenGGUF(f"The model's tokenizer is broken: {error}") from error
    made.pre_tokenizer = _BEFORE[before]()
    if before == "qwen2":
        made.normalizer = normalizers.NFC()
    return made.to_str()


def _bytes(*first: Any, split: bool) -> Any:
    last = pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=split)
    return pre_tokenizers.Sequence([*first, last])


def _pattern(numbers: str) -> Any:
    pattern = Regex(f"{_ENDINGS}|{numbers}|{_REST}")
    return _bytes(pre_tokenizers.Split(pattern, "isolated"), split=False)


_BEFORE: Final[dict[str, Callable[[], Any]]] = {
    "default": lambda: _bytes(split=True),
    "gpt-2": lambda: _bytes(split=True),
    "smollm": lambda: _bytes(pre_tokenizers.Digits(individual_digits=True), split=True),
    "qwen2": lambda: _pattern(r"\p{N}"),
    "llama-bpe": lambda: _pattern(r"\p{N}{1,3}"),
}
