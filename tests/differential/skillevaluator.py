"""Compares our structural score with NVIDIA's SkillEvaluator on real folders.

    python tests/differential/skillevaluator.py --evaluator CHECKOUT [--python PYTHON] FOLDER...

Their quality validator runs in a process of its own, under `--python` (which needs
markdown-it-py, pydantic, PyYAML, rich, click, jinja2 and idna), ours through its command line.
Every folder below FOLDER which holds a SKILL.md is compared. The exit status is 1 if any differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

WORKER = Path(__file__).with_name("evaluator_worker.py")
DIMENSIONS = ("correctness", "discoverability", "reliability", "efficiency")
SKIPPED_FOLDERS = {".git", ".venv", "node_modules", "__pycache__"}
FOLDERS_A_CALL = 200

# Their checks have no identifiers: the beginning of the message says which one it is.
CODE_OF_MESSAGE = {
    "No examples provided": "C001",
    "Windows-style paths": "C002",
    "SKILL.md references README.md": "C003",
    "XML tags in frontmatter field": "C004",
    "Invalid name format": "C005",
    "Name contains reserved word": "C006",
    "Name contains XML tags": "C007",
    "Description contains XML tags": "C008",
    "scripts/ directory exists but": "C009",
    "No scripts/ directory found": "C010",
    "No documented scripts": "C011",
    "Instructions don't mention 'run_script'": "C012",
    "Lib-based skill missing pyproject.toml": "C013",
    "Lib-based skill lacks API": "C014",
    "Detected as lib-based but": "C015",
    "Lib-based skill has resource directories": "C016",
    "Resource-based skill lacks": "C017",
    "Guide-only skill has very little": "C018",
    "SKILL_SPEC recommended field missing: 'version'": "C019",
    "SKILL_SPEC recommended field missing: 'metadata.author'": "C020",
    "SKILL_SPEC recommended field missing: 'metadata.tags'": "C021",
    "Description too short": "D001",
    "Description very long": "D002",
    "Description doesn't mention WHEN": "D003",
    "Description contains vague words": "D004",
    "Description uses first/second person": "D005",
    "Broad description without": "D006",
    "No '## Purpose' section": "D007",
    "Skill name very short": "D008",
    "Skill name not following": "D009",
    "No mention of error handling": "R001",
    "Scripts may lack error handling": "R002",
    "Lib modules may lack error": "R003",
    "No prerequisites/requirements": "R004",
    "No limitations documented": "R005",
    "No troubleshooting section": "R006",
    "Large skill": "E001",
    "High line repetition": "E002",
    "Instructions lack clear action verbs": "E003",
    "Instructions not in list format": "E004",
    "Uses complex/corporate": "E005",
    "Non-descriptive filename": "E006",
    "Deeply nested references": "E007",
    "Non-doc file in references/": "E008",
}


@dataclass(frozen=True, slots=True)
class Score:
    """One tool's judgement of one folder: the total, and per dimension the score and its codes."""

    total: float
    grade: str
    dimensions: dict[str, tuple[float, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table of differences."""

    folder: str
    theirs: str
    ours: str
    dimension: str
    missing: str
    added: str


def main() -> int:
    arguments = _arguments()
    folders = sorted({folder for root in arguments.folders for folder in skill_folders(root)})
    theirs, failed = their_scores(folders, arguments.evaluator, arguments.python)
    ours = our_scores(folders, arguments.skillgauge)
    return report(folders, theirs, ours, failed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evaluator", type=Path, required=True, help="checkout of SkillEvaluator")
    parser.add_argument("--python", default=sys.executable, help="interpreter for SkillEvaluator")
    parser.add_argument(
        "--skillgauge",
        default=str(Path(sys.executable).with_name("skillgauge")),
        help="our command (default: the one beside this interpreter)",
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    return parser.parse_args()


def skill_folders(root: Path) -> list[Path]:
    """Every folder at or below `root` which holds a file called SKILL.md."""
    found: list[Path] = []
    for folder, names, files in os.walk(root.resolve()):
        names[:] = sorted(set(names) - SKIPPED_FOLDERS)
        if "SKILL.md" in files:
            found.append(Path(folder))
    return found


def their_scores(
    folders: list[Path], checkout: Path, python: str
) -> tuple[dict[Path, Score], dict[Path, str]]:
    """Their scores, and the folders at which their validator raised."""
    run = subprocess.run(
        [python, str(WORKER), str(checkout.resolve() / "src")],
        input="".join(f"{folder}\n" for folder in folders),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    scores: dict[Path, Score] = {}
    failed: dict[Path, str] = {}
    for line in run.stdout.splitlines():
        entry = json.loads(line)
        folder = Path(entry["folder"])
        if "error" in entry:
            failed[folder] = entry["error"]
        else:
            scores[folder] = Score(entry["score"], entry["grade"], _their_dimensions(entry))
    return scores, failed


def _their_dimensions(entry: dict) -> dict[str, tuple[float, frozenset[str]]]:
    return {
        name: (
            dimension["score"],
            frozenset(_code(message) for message, _ in dimension["issues"]),
        )
        for name, dimension in entry["dimensions"].items()
    }


def _code(message: str) -> str:
    for beginning, code in CODE_OF_MESSAGE.items():
        if message.startswith(beginning):
            return code
    return f"?{message[:30]}"


def our_scores(folders: list[Path], command: str) -> dict[Path, Score]:
    """Our scores by folder, read from the JSON report."""
    scores: dict[Path, Score] = {}
    for start in range(0, len(folders), FOLDERS_A_CALL):
        part = [str(folder) for folder in folders[start : start + FOLDERS_A_CALL]]
        run = subprocess.run(
            [command, "check", "--format", "json", "--profile", "aces", *part],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        # Status 1 says that there are findings; anything above is a failure of the run itself.
        if run.returncode > 1:
            raise SystemExit(f"{command} check ended with status {run.returncode}")
        for entry in json.loads(run.stdout)["files"]:
            if structure := entry.get("structure"):
                scores[_folder(entry["path"])] = _our_score(structure)
    return scores


def _folder(path: str) -> Path:
    resolved = Path(path).resolve()
    return resolved if resolved.is_dir() else resolved.parent


def _our_score(structure: dict) -> Score:
    return Score(
        structure["score"],
        structure["grade"],
        {
            name: (
                dimension["score"],
                frozenset(deduction["code"] for deduction in dimension["deductions"]),
            )
            for name, dimension in structure["dimensions"].items()
        },
    )


def report(
    folders: list[Path],
    theirs: dict[Path, Score],
    ours: dict[Path, Score],
    failed: dict[Path, str],
) -> int:
    """Print the comparison; 1 if anything differs."""
    both = [folder for folder in folders if folder in theirs and folder in ours]
    unscored = [folder for folder in folders if folder in theirs and folder not in ours]
    equal = sum(_same_total(theirs[folder], ours[folder]) for folder in both)
    grades = sum(theirs[folder].grade == ours[folder].grade for folder in both)
    rows = [row for folder in both for row in rows_of(folder, theirs[folder], ours[folder])]
    print(f"folders            {len(folders)}")
    print(f"compared           {len(both)}")
    print(f"score equal to 0.1 {_share(equal, len(both))}")
    print(f"grade equal        {_share(grades, len(both))}")
    print(f"same checks fired  {_share(len(both) - len({row.folder for row in rows}), len(both))}")
    for folder, error in failed.items():
        print(f"theirs raised      {folder}: {error[:100]}")
    for folder in unscored:
        print(f"ours has no score  {folder}")
    if rows:
        _print_rows(rows)
    return int(bool(rows) or bool(unscored))


def rows_of(folder: Path, theirs: Score, ours: Score) -> list[Row]:
    """The dimensions of one folder in which the two tools differ."""
    rows: list[Row] = []
    for dimension in DIMENSIONS:
        their_points, their_codes = theirs.dimensions[dimension]
        our_points, our_codes = ours.dimensions[dimension]
        if their_codes != our_codes or abs(their_points - our_points) > 0.05:
            rows.append(
                Row(
                    str(folder),
                    f"{theirs.total:.1f} ({their_points:.0f})",
                    f"{ours.total:.1f} ({our_points:.0f})",
                    dimension,
                    " ".join(sorted(their_codes - our_codes)),
                    " ".join(sorted(our_codes - their_codes)),
                )
            )
    if not rows and not _same_total(theirs, ours):
        rows.append(Row(str(folder), f"{theirs.total:.1f}", f"{ours.total:.1f}", "total", "", ""))
    return rows


def _same_total(theirs: Score, ours: Score) -> bool:
    return abs(theirs.total - round(ours.total, 1)) < 0.05


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({100 * part / whole:.2f} %)" if whole else "0/0"


def _print_rows(rows: list[Row]) -> None:
    print("\nscore and (dimension's score); checks only they report, checks only we report")
    heading = Row("folder", "theirs", "ours", "dimension", "theirs only", "ours only")
    for row in [heading, *rows]:
        print(
            f"{row.theirs:>12} {row.ours:>12}  {row.dimension:15} {row.missing:20} "
            f"{row.added:20} {row.folder}"
        )
    missing = Counter(code for row in rows for code in row.missing.split())
    added = Counter(code for row in rows for code in row.added.split())
    print("\ncheck   theirs only   ours only")
    for code in sorted(missing | added):
        print(f"{code:8}{missing[code]:11}{added[code]:12}")


if __name__ == "__main__":
    sys.exit(main())
