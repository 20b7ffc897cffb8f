"""The same backbone through torch, in 32 bits and with nothing quantised: what parity is against.

It answers as `runtime.Backbone` does. This and `export.hf` alone import torch and transformers, and
only when they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.export import hf
from skillgauge_scorer.export.blocks import floats
from skillgauge_scorer.export.checkpoint import renamed
from skillgauge_scorer.export.decoder import Decoder, angles, read
from skillgauge_scorer.export.gguf_file import GGUF
from skillgauge_scorer.models.store import Installed
from skillgauge_scorer.runtime import Stopped, Tokens
from skillgauge_scorer.session import Device

Floats = NDArray[np.float32]
Ids = Sequence[int] | NDArray[np.int64]

GGUF_NAME: Final = "model.gguf"


class Reference:
    """A backbone in torch."""

    def __init__(
        self, model: Any, layers: Sequence[int], context: int, encode: Callable[[str], Tokens]
    ) -> None:
        """Take a decoder of `transformers`, of which what comes after the last layer is dropped."""
        self.layers, self.context, self.encode = tuple(layers), context, encode
        self.width, self.device = int(model.config.hidden_size), Device("cpu", "torch in 32 bits")
        self._model = model.eval()
        self._model.layers = self._model.layers[: max(self.layers)]
        self._model.norm = import_module("torch").nn.Identity()

    def states(self, ids: Ids, stop: Callable[[], bool] | None = None) -> dict[int, Floats]:
        """Return the state of each token at each layer."""
        torch: Any = import_module("torch")
        wanted = np.asarray(ids, np.int64)
        if not len(wanted):
            return {layer: np.zeros((0, self.width), np.float32) for layer in self.layers}
        if stop is not None and stop():
            raise Stopped
        with torch.inference_mode():
            tokens = torch.from_numpy(wanted)[None]
            out = self._model(tokens, output_hidden_states=True, use_cache=False)
        return {layer: out.hidden_states[layer][0].numpy() for layer in self.layers}

    def after(
        self, prefix: Ids, parts: Sequence[Ids], stop: Callable[[], bool] | None = None
    ) -> list[dict[int, Floats]]:
        """Return the states of each part, as if it alone came after the prefix."""
        before = np.asarray(prefix, np.int64)
        found: list[dict[int, Floats]] = []
        for part in parts:
            whole = self.states(np.concatenate([before, np.asarray(part, np.int64)]), stop)
            found.append({layer: value[len(before) :] for layer, value in whole.items()})
        return found

    def forget(self) -> None:
        """Free what is kept of the last text: nothing is."""


def load(model: Installed, encode: Callable[[str], Tokens]) -> Reference:
    """Load the weights that an installed model was made from, before anything was quantised."""
    hf.need()
    facts = model.manifest["backbone"]
    layers, context = cast("list[int]", facts["layers"]), int(facts["context"])
    if (path := model.folder / GGUF_NAME).is_file():
        return Reference(_of_gguf(path), layers, context, encode)
    return Reference(_of_checkpoint(_folder(model)), layers, context, encode)


def _folder(model: Installed) -> Path:
    source = cast("dict[str, str]", model.manifest.get("source") or {})
    if repository := source.get("repository"):
        return hf.fetched(repository, source.get("revision"))[0]
    folder = Path(source.get("folder", ""))
    if not source.get("folder") or not folder.is_dir():
        what = f"What “{model.name}” was exported from is not there any more"
        raise ScorerError(what, str(folder), "Export it again")
    return folder


def _of_checkpoint(folder: Path) -> Any:
    torch: Any = import_module("torch")
    return hf.library().AutoModel.from_pretrained(str(folder), dtype=torch.float32)


def _of_gguf(path: Path) -> Any:
    """Return a decoder with the numbers that a GGUF file's blocks stand for."""
    torch: Any = import_module("torch")
    transformers = hf.library()
    file = GGUF(path)
    decoder = read(file)
    base = float(file.get(f"{decoder.architecture}.rope.freq_base", float, 10_000.0))
    feed = file.tensor("blk.0.ffn_up.weight").shape[0]
    config: Any = transformers.AutoConfig.for_model(
        decoder.architecture,
        hidden_size=decoder.width,
        intermediate_size=feed,
        num_hidden_layers=decoder.blocks,
        num_attention_heads=decoder.heads,
        num_key_value_heads=decoder.kv_heads,
        head_dim=decoder.head,
        rms_norm_eps=decoder.epsilon,
        max_position_embeddings=decoder.context,
        vocab_size=decoder.vocabulary,
        attention_bias=decoder.architecture == "qwen2",
        rope_parameters={"rope_type": "default", "rope_theta": base},
    )
    model: Any = transformers.AutoModel.from_config(config, dtype=torch.float32)
    # As the graph has them, with whatever slows them down.
    model.rotary_emb.inv_freq = torch.from_numpy(angles(file, decoder)[1].copy())
    with torch.no_grad():
        for name, value in model.named_parameters():
            own = renamed(name)
            if own is not None:
                value.copy_(torch.from_numpy(_numbers(file, decoder, own)).reshape(value.shape))
    return model


def _numbers(file: GGUF, decoder: Decoder, name: str) -> Floats:
    """Return a tensor, with neighbours that turn together moved to the halves of their head."""
    plain = np.array(floats(file.tensor(name)))  # some are views of the file, which stays as it is
    heads = {"attn_q": decoder.heads, "attn_k": decoder.kv_heads}.get(name.split(".")[-2])
    if not decoder.interleaved or heads is None:
        return plain
    pairs = plain.reshape(heads, decoder.head // 2, 2, -1)
    return np.ascontiguousarray(pairs.swapaxes(1, 2).reshape(plain.shape))
