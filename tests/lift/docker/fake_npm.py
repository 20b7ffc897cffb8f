"""An npm of a few lines that installs packages which are written here, so that tests need no net.

Called as npm is: `npm install --prefix=FOLDER … NAME@VERSION`.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

PROGRAM = "#!/bin/sh\necho {name} {version} on $(node --version)\n"


def package(folder: Path, name: str, version: str, program: str, node: str = "") -> Path:
    """Write a package whose program is a script."""
    place = folder / "node_modules" / name
    (place / "bin").mkdir(parents=True)
    script = place / "bin" / program
    script.write_text(PROGRAM.format(name=name, version=version))
    script.chmod(0o755)
    manifest = {"name": name, "version": version, "bin": {program: f"./bin/{program}"}}
    text = json.dumps({**manifest, "engines": {"node": node}} if node else manifest)
    (place / "package.json").write_text(text)
    return place


def main(words: list[str]) -> int:
    options = {word.split("=")[0]: word.partition("=")[2] for word in words if word[:2] == "--"}
    folder = Path(options["--prefix"])
    name, _, version = words[-1].rpartition("@")
    if options["--os"] != "linux" or "--ignore-scripts" not in options:
        return 3
    if name.startswith("node-linux-"):
        place = package(folder, name, version, "node")
        (place / "bin/node").write_text("#!/bin/sh\necho v22.23.5\n")
    elif name == "@openai/codex":  # a program of its own, in a package beside
        place = package(folder, name, version, "codex", ">=16")
        native = folder / "node_modules/@openai/codex-linux-x64/vendor/bin"
        native.mkdir(parents=True)
        shutil.copy("/bin/busybox", native / "codex")
        voice = native.parent / "codex-resources/voice"
        voice.mkdir(parents=True)
        (voice / "large").write_text("left out")
    elif name == "@google/gemini-cli":
        place = package(folder, name, version, "gemini", ">=20")
        (place / "bin/link").symlink_to("gemini")
    else:
        print(
            f"npm error code ETARGET\nnpm error notarget No matching version of {name}",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
