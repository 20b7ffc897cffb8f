"""Every shape of a secret is found, wherever it stands."""

from __future__ import annotations

import pytest

from skillgauge.lift.redaction import MARK, find_secrets, redact
from skillgauge.lift.shell import is_fork_bomb

BODY = "aB3dE6gH9kL2mN5pQ8sT1vW4xY7zC0fJ6rU"  # 35 characters
SECRETS = {
    "API key": ("sk-" + BODY, "sk-ant-" + BODY, "sk-proj-" + BODY),
    "NVIDIA key": ("nvapi-" + BODY,),
    "AWS key id": ("AKIA" + "QX7PLM2VTR6ZWB4K", "ASIA" + "QX7PLM2VTR6ZWB4K"),
    "GitHub token": (*(f"gh{kind}_{BODY}" for kind in "pousr"), f"github_pat_{BODY}_{BODY}"),
    "GitLab token": ("glpat-" + BODY,),
    "Slack token": tuple(f"xox{kind}-{BODY}" for kind in "abeoprs"),
    "Hugging Face token": ("hf_" + BODY,),
    "npm token": ("npm_" + BODY + "x",),
    "Google key": ("AIza" + BODY,),
    "JSON web token": (f"eyJ{BODY}.eyJ{BODY}.{BODY}",),
    "private key": (
        "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
    ),
}


@pytest.mark.parametrize(
    ("kind", "secret"), [(kind, one) for kind, all_ in SECRETS.items() for one in all_]
)
def test_shapes(kind: str, secret: str) -> None:
    text = f"before {secret} after"
    (found,) = find_secrets(text)
    assert (found.kind, text[found.start : found.end]) == (kind, secret)
    assert redact(text) == f"before {MARK} after"


@pytest.mark.parametrize("text", ["", "sk-example", "task-" + BODY, "xox", "no secret", "hf_" * 9])
def test_no_secrets(text: str) -> None:
    assert find_secrets(text) == []
    assert redact(text) == text


@pytest.mark.parametrize(
    ("script", "is_one"),
    [
        (":(){ :|:& };:", True),
        ("bomb ( ) { bomb | bomb & }; bomb", True),
        ("function bomb { bomb | bomb & }; bomb", True),
        ("once() { echo once; }; once", False),
        ("echo ':(){ :|:& };:'", False),
        ("ls | grep bomb", False),
    ],
)
def test_fork_bombs(script: str, is_one: bool) -> None:
    assert is_fork_bomb(script) == is_one
