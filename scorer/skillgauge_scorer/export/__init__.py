"""Makes backbones: decoders cut off after the highest layer that is needed, as ONNX."""
