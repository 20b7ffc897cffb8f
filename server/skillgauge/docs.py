"""`python -m skillgauge.docs`: writes what is generated from the rules, and says what was stale.

The pages `docs/rules/*.md`, the table in README.md, and the JSON Schema of the configuration.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from skillgauge import pages
from skillgauge.rules import all_rules

ROOT: Final = Path(__file__).parents[2]
BEGIN: Final = "<!-- rules:begin -->"
END: Final = "<!-- rules:end -->"


def generated(root: Path = ROOT) -> dict[Path, str | None]:
    """Return the wanted content of each generated file; None for one that has to go."""
    from skillgauge.config_model import schema

    folder = root / "docs" / "rules"
    wanted: dict[Path, str | None] = dict.fromkeys(folder.glob("*.md"))
    wanted |= {folder / f"{rule.name}.md": pages.document(rule) for rule in all_rules()}
    wanted[folder / "index.md"] = pages.index()
    wanted[folder / "precision.md"] = pages.precision_page()
    wanted[root / "README.md"] = _readme(root / "README.md")
    text = json.dumps(schema(), indent=2, ensure_ascii=False)
    wanted[root / "docs" / "skillgauge.schema.json"] = text + "\n"
    return wanted


def _readme(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{pages.table('docs/rules/')}\n\n{END}{after}"


def stale(root: Path = ROOT) -> list[Path]:
    """Return the generated files that are not as they should be."""
    return [path for path, text in generated(root).items() if _read(path) != text]


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def main() -> int:
    """Bring every file up to date."""
    wanted = generated()
    for path in stale():
        text = wanted[path]
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{'removed' if text is None else 'wrote'} {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
