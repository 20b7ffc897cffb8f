"""What the process does for those who ask: scores, descriptions that collide, and about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.models import DEFAULT, store

if TYPE_CHECKING:
    from skillgauge_scorer.bundle import Bundle, Floats
    from skillgauge_scorer.embedding import Embedding
    from skillgauge_scorer.inbox import Inbox, Request
    from skillgauge_scorer.kept import Kept
    from skillgauge_scorer.models.store import Installed
    from skillgauge_scorer.projection import Projector

Progress = Callable[[str, int, int], None]

MAX_TEXT: Final = 8_000_000
"""Characters of a text that are looked at all."""
MAX_SKILLS: Final = 3_000
MAX_PAIRS: Final = 20_000
"""Descriptions that are compared, and pairs that are told of."""


class Overtaken(Exception):
    """Nobody waits for the answer any more."""


class Service:
    """Holds at most one model, loaded when it is first needed."""

    def __init__(self, inbox: Inbox) -> None:
        """Load nothing yet."""
        self._inbox = inbox
        self._name = ""
        self._loaded: Projector | None = None
        self._bundle: Bundle | None = None
        self._model: Installed | None = None
        self._keepers: dict[str, Kept] = {}
        self.between: Callable[[], None] = lambda: None
        """Called in long work, so that what is urgent is not kept waiting."""

    def answer(self, request: Request, progress: Progress) -> Any:
        """Do what a request asks for, and return plain values."""
        method, params = request.method, request.params
        if method.startswith("model."):
            from skillgauge_scorer.models import requests

            return requests.answer(method.removeprefix("model."), params, progress)
        if method.startswith("train."):
            from skillgauge_scorer.train import requests as training

            return training.answer(method.removeprefix("train."), params, progress)
        if method == "describe":
            return self._describe(params)
        if method == "device":
            device = self._projector(params).backbone.device
            return {"device": device.name, "reason": device.reason}
        if method == "score":
            return self._score(request, progress)
        if method == "collisions":
            return self._collisions(request, progress)
        raise ScorerError(f"The scorer has no method “{method}”")

    # --- what there is -----------------------------------------------------------------------

    def _describe(self, params: dict[str, Any]) -> dict[str, Any]:
        from skillgauge_scorer.metrics import meanings

        model, bundle = self._open(params)
        metrics: list[dict[str, Any]] = []
        for code, meaning in meanings().items():
            item: dict[str, Any] = asdict(meaning)
            if (metric := bundle.metrics.get(code)) is not None:
                item |= {"label": metric.label, "shown": metric.shown, "linear": metric.linear}
                item["figures"] = dict(metric.figures)
            elif code != "A1":
                continue
            metrics.append(item)
        return {
            "model": model.name,
            "title": str(model.manifest.get("title") or model.name),
            "bundle": bundle.id,
            "max_tokens": bundle.max_tokens,
            "metrics": metrics,
        }

    def _open(self, params: dict[str, Any]) -> tuple[Installed, Bundle]:
        """Return the model that a request is for, with its directions."""
        from skillgauge_scorer.models.install import need_libraries

        name = str(params.get("model") or DEFAULT)
        if self._model is not None and self._bundle is not None and name == self._name:
            return self._model, self._bundle
        need_libraries()
        model = store.load(name)
        from skillgauge_scorer.bundle import load_for

        bundle = load_for(model)
        self._name, self._model, self._bundle, self._loaded = name, model, bundle, None
        self._keepers.clear()
        return model, bundle

    def _projector(self, params: dict[str, Any]) -> Projector:
        model, bundle = self._open(params)
        if self._loaded is None:
            from skillgauge_scorer.projection import Projector
            from skillgauge_scorer.runtime import load

            self._loaded = Projector(load(model), bundle)
        return self._loaded

    # --- scores ------------------------------------------------------------------------------

    def _score(self, request: Request, progress: Progress) -> dict[str, Any]:
        params = request.params
        text, name = params.get("text"), str(params.get("name") or "SKILL.md")
        if not isinstance(text, str):
            raise ScorerError("A request to score has no text")
        explain = frozenset(map(str, params.get("explain") or ()))
        _, bundle = self._open(params)
        if unknown := sorted(explain - bundle.metrics.keys()):
            raise ScorerError(
                f"There is no metric “{unknown[0]}” to explain",
                how=f"There are {', '.join(bundle.metrics)}",
            )
        # What takes many runs to explain is not kept: it is asked for seldom.
        costly = any(not bundle.metrics[code].linear for code in explain)
        kept = None if costly else self._keeping(params)
        key = kept.key(name, text) if kept else ""
        if kept is not None and (found := kept.get(key)) is not None:
            return found
        made = self._profile(request, text[:MAX_TEXT], name, explain, progress)
        if kept is not None:
            kept.put(key, made)
        return made

    def _profile(
        self,
        request: Request,
        text: str,
        name: str,
        explain: frozenset[str],
        progress: Progress,
    ) -> dict[str, Any]:
        from skillgauge_scorer.profile import profile
        from skillgauge_scorer.runtime import Stopped

        try:
            return profile(
                self._projector(request.params),
                text,
                name,
                explain=explain,
                stop=lambda: self._inbox.overtaken(request),
                progress=progress,
            ).as_json()
        except Stopped:
            raise Overtaken from None

    def _keeping(self, params: dict[str, Any]) -> Kept | None:
        """Return where profiles are kept, None if a request wants none of that."""
        from skillgauge_scorer.kept import Kept

        folder = str(params.get("cache") or "")
        if not folder:
            return None
        if folder not in self._keepers:
            model, bundle = self._open(params)
            hashes = sorted(str(entry["sha256"]) for entry in model.files.values())
            self._keepers[folder] = Kept(Path(folder), bundle.id, *hashes)
        return self._keepers[folder]

    # --- collisions --------------------------------------------------------------------------

    def _collisions(self, request: Request, progress: Progress) -> dict[str, Any]:
        """Return the pairs of skills whose descriptions are about as good as the same.

        Somebody may wait for a score meanwhile, and need not wait for all descriptions.
        """
        from skillgauge_scorer.embedding import alike, load_for

        skills = cast("list[dict[str, str]]", request.params.get("skills") or [])[:MAX_SKILLS]
        model, _ = self._open(request.params)
        embedding = load_for(model)
        if embedding is None:
            raise ScorerError(f"The model “{model.name}” can't compare descriptions")
        vectors: list[Floats | None] = []
        for done, skill in enumerate(skills):
            self.between()
            if self._inbox.overtaken(request):
                raise Overtaken
            progress("compare", done, len(skills))
            vectors.append(self._vector(request.params, embedding, skill))
        pairs = alike(vectors, embedding.apart)[:MAX_PAIRS]
        return {"same": embedding.same, "pairs": [list(pair) for pair in pairs]}

    def _vector(
        self, params: dict[str, Any], embedding: Embedding, skill: dict[str, str]
    ) -> Floats | None:
        import numpy as np

        from skillgauge_scorer.embedding import state_of

        name, text = str(skill.get("name", "")), str(skill.get("description", ""))
        kept = self._keeping(
            {**params, "cache": params.get("cache") and f"{params['cache']}-texts"}
        )
        key = kept.key("description", str(embedding.layer), name, text) if kept else ""
        known = kept.get(key) if kept else None
        if known is not None:
            state: Floats | None = np.array(known["state"], np.float32)
        else:
            state = state_of(self._projector(params).backbone, embedding.layer, name, text)
            if kept and state is not None:
                kept.put(key, {"state": [round(float(value), 4) for value in state]})
        return None if state is None else embedding.clean(state)
