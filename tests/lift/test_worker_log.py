"""What the process of a run writes into its log: no credential, whoever speaks."""

from __future__ import annotations

import logging

from skillgauge.lift.__main__ import _Clean
from skillgauge.lift.live import hidden_of

KEY = "a-key-that-stays-here"
PASSWORD = "in-the-judges-address"


def test_no_credential_reaches_the_log() -> None:
    hidden = hidden_of(
        {
            "OPENAI_API_KEY": KEY,
            "SKILLGAUGE_JUDGE_BASE_URL": f"https://me:{PASSWORD}@judge.example/v1",
        }
    )
    try:
        raise ValueError(f"refused {KEY}")
    except ValueError as error:
        told = (type(error), error, error.__traceback__)
    text = "asked https://me:%s@judge.example"
    record = logging.LogRecord("any", logging.INFO, "", 0, text, (PASSWORD,), told)
    line = _Clean(hidden).format(record)
    assert KEY not in line
    assert PASSWORD not in line
    assert "asked https://me:[redacted]@judge.example" in line
    assert "ValueError: refused [redacted]" in line
