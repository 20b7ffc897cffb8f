"""What an attacker writes to turn an agent: patterns over text in lower case."""

from __future__ import annotations

from typing import Final

from skillgauge.patterns import lazy_pattern

_USER: Final = (
    r"(?:(?:the|your|this|any)\s+)?(?:users?|humans?|operators?|owners?|customers?|anyone|anybody)"
)
_IT: Final = (
    r"(?:(?:about|of|that)\s+)?(?:this|these|it|what you\s+(?:did|do|are doing|have done|found"
    r"|sent)"
    r"|(?:this|these|the|your)\s+(?:hidden |secret )?(?:steps?|instructions?|actions?|uploads?"
    r"|commands?|requests?|skills?|behaviou?r)"
    r"|(?:that\s+)?you (?:used|are using|ran|sent|uploaded|did|have|read|were))\b"
)
_NOT: Final = r"(?:do not|don['’]t|never|must not|should not)\s+(?:ever\s+)?"
OVERRIDES: Final = lazy_pattern(
    r"(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|the|your|these|those|of"
    r"|its|my"
    r"|what(?:ever)?|everything|and|about)\s+){0,4}"
    r"(?:(?:previous|prior|above|earlier|preceding)\s+(?:(?:system|developer|safety|user|security)\s+)?"
    r"(?:instructions?|prompts?|rules|guidelines|directives?|messages?|constraints|polic(?:y|ies)"
    r"|guardrails|restrictions|commands)"
    r"|(?:existing|former|original|other|default|initial)\s+(?:(?:system|developer|safety)\s+)?"
    r"(?:instructions?|prompts?|directives?|guardrails)"
    r"|(?:system|developer)\s+(?:prompts?|messages?|instructions?)"
    r"|(?:safety|content|ethical|security)\s+(?:rules|guidelines|polic(?:y|ies)|filters?|training"
    r"|instructions?|guardrails|restrictions)"
    r"|guardrails|(?:instructions|rules)\s+(?:above|before|so far|given to you))\b"
    r"|you are now\s+(?:in\s+)?(?:an?\s+)?(?:unrestricted|jailbroken|uncensored|unfiltered"
    r"|dan\b|developer mode"
    r"|god mode|root\b|free (?:of|from)\s+(?:all|any|your)?\s*(?:restrictions|rules|limits))"
    r"|you are no longer\s+(?:bound|restricted|limited)\s+by"
    r"|(?:act as if|pretend)\s+you\s+(?:have|had)\s+no\s+(?:restrictions|rules|limits"
    r"|guidelines|filters)"
    r"|do anything now\b"
    r"|this skill (?:overrides|takes (?:precedence|priority) over)\s+(?:all|any|every|the|your)\s+"
    r"(?:other\s+|previous\s+|system\s+|user\s+)*(?:instructions?|prompts?|rules|guidelines"
    r"|messages?)"
)
CONCEALS: Final = lazy_pattern(
    rf"{_NOT}(?:tell|inform|notify|alert|warn)\s+{_USER}(?:\s+(?:about|of)\s+(?:this|these|it"
    rf"|that|what|the|your|any)\b|(?=\s*[.;!,)]|\s*\Z|\s+and\b))"
    rf"|{_NOT}(?:mention|reveal|disclose|report|show|expose|admit|acknowledge|explain"
    rf"|discuss)\s+{_IT}"
    rf"[^.\n]{{0,40}}?\s(?:to|with)\s+{_USER}\b"
    rf"|without\s+(?:informing|telling|notifying|alerting)\s+{_USER}\b"
    rf"|without\s+{_USER}(?:['’]s)?\s+(?:knowledge|noticing|knowing|being aware)\b"
    r"|(?:silently|secretly|covertly|quietly)\s+(?:send|upload|post|transmit|forward|exfiltrate"
    r"|copy"
    r"|collect|harvest|record|share|email|install|download|add|append|modify|grant)\b"
    rf"|(?:hide|conceal)\s+(?:{_IT}|everything|all of this)[^.\n]{{0,40}}?\sfrom\s+{_USER}\b"
    rf"|keep (?:this|it)(?:\s+\w+)?\s+(?:hidden|secret)(?:\s+from\s+{_USER})?\b"
)
