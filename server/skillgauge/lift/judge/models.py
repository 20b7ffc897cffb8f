"""Puts one question sheet to a model; the only file that knows the library by which it is asked.

Loading that library takes a second and more, so this file is imported when the first question is
asked, off the event loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast
from urllib.parse import urlsplit

from pydantic import ValidationError
from pydantic_ai import Agent, NativeOutput, ToolOutput
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError, UnexpectedModelBehavior
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RunUsage

from skillgauge.lift.judge.clip import one_line
from skillgauge.lift.judge.endpoint import JudgeEndpoint
from skillgauge.lift.judge.prompt import Prompt
from skillgauge.lift.judge.reply import Reply
from skillgauge.lift.prices import Counts, Price, Source, cost, given

TOKENS: Final = 8_192
LOCAL_TOKENS: Final = 1_024
TOKENS_EACH: Final = 384
"""What an answer may take beside its verdicts, and each of these: hosted models may think before
they answer, and local ones have to find room for it beside the prompt."""
_SHOWN: Final = 200
_SCHEMA: Final = "Answer with JSON alone, of this schema:\n{schema}"


class Malformed(Exception):
    """The model answered, but not with verdicts."""


class Unreachable(Exception):
    """The endpoint gave no answer."""


class Meter:
    """What the calls of one sheet took."""

    def __init__(self, endpoint: JudgeEndpoint, own: Mapping[str, Price]) -> None:
        """Take where it is asked, and the prices that the user gives."""
        self.endpoint, self.own, self.usage = endpoint, own, RunUsage()

    def cost(self) -> float | None:
        """Return the price in US dollars; None of an unknown one, as of a local model."""
        usage = self.usage
        if getattr(usage, "unmeasured_requests", 0):  # newer versions of the library tell it
            return None
        if not usage.requests:
            return 0.0
        counts = Counts(
            usage.input_tokens,
            usage.output_tokens,
            usage.cache_read_tokens,
            usage.cache_write_tokens,
        )
        if self.endpoint.provider != "local":
            source = Source(self.endpoint.provider, self.endpoint.base_url)
            return cost(self.endpoint.model, counts, source, self.own)
        known = given(self.endpoint.model, self.own)
        return cost(self.endpoint.model, counts, own=self.own) if known else None


def connect(endpoint: JudgeEndpoint) -> Model:
    """Return the model of an endpoint; nothing is asked yet."""
    url, key = endpoint.base_url or None, endpoint.key
    if endpoint.provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        address = url or "https://api.anthropic.com"
        return AnthropicModel(
            endpoint.model, provider=AnthropicProvider(api_key=key, base_url=address)
        )
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if endpoint.provider == "local":
        return OpenAIChatModel(
            endpoint.model,
            provider=OpenAICompatibleProvider("local", base_url=url or "", api_key=key or "none"),
        )
    address = url or "https://api.openai.com/v1"
    return OpenAIChatModel(endpoint.model, provider=OpenAIProvider(api_key=key, base_url=address))


async def put(
    model: Model,
    prompt: Prompt,
    count: int,
    meter: Meter,
    *,
    seconds: float,
    again: int,
) -> Reply:
    """Return what a model answers to a prompt of so many questions; Malformed or Unreachable.

    A local server is held to the form by a grammar where it can, and told it in words, for many
    have no tools; the others are made to call one.
    """
    local = meter.endpoint.provider == "local"
    output: Any = NativeOutput(Reply, template=_SCHEMA) if local else ToolOutput(Reply)
    agent: Agent[object, Reply] = Agent(
        model, output_type=output, instructions=prompt.system, retries=0
    )
    settings = ModelSettings(
        temperature=0.0,
        max_tokens=(LOCAL_TOKENS if local else TOKENS) + TOKENS_EACH * count,
        timeout=seconds,
        max_retries=again,
    )
    try:
        found = await agent.run(prompt.user, model_settings=settings, usage=meter.usage)
    except ModelHTTPError as error:
        raise Unreachable(f"HTTP {error.status_code}: {_told(error.body)}") from error
    except ModelAPIError as error:
        raise Unreachable(_connection(error, model.base_url or "")) from error
    except UnexpectedModelBehavior as error:
        raise Malformed(_misfit(error)) from error
    return found.output


def _misfit(error: UnexpectedModelBehavior) -> str:
    """Return how a reply misses the form; nothing of what the model wrote is in it."""
    causes = list(_causes(error))
    found = next((one for one in causes if isinstance(one, ValidationError)), None)
    if found:
        first = found.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"]))
        return one_line(f"{place}: {first['msg']}" if place else first["msg"], _SHOWN)
    if len(causes) > 1:
        return "it has not the form that is asked for"
    return one_line(str(error), _SHOWN)


def _connection(error: ModelAPIError, address: str) -> str:
    """Return why there was no answer: the last of the causes knows it best."""
    *_, last = _causes(error)
    host = urlsplit(address).netloc.rpartition("@")[2]
    why = "" if last is error else f": {last}"
    return one_line(f"{error.message.rstrip('.')} ({host}){why}", _SHOWN)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and those from which it came, as far as there is an end."""
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        yield found
        found = found.__cause__ or found.__context__


def _told(body: object) -> str:
    """Return what an endpoint says of an error."""
    found = body
    for key in ("error", "message"):
        if isinstance(found, Mapping):
            inner = cast("Mapping[str, object]", found)
            found = inner.get(key, inner)
    return one_line(str(found or "no reason given"), _SHOWN)
