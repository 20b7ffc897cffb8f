"""How good the skeletons are: what their candidates do to the scores of the poorest of a sample.

    python tests/bench/revisions.py FOLDER [--skills 30] [--sample 150] [--seed 7] [--rounds 3]

FOLDER is searched for SKILL.md files. Of a random sample of those that there are candidates for,
the skills with the lowest mean probability are taken. Counted are all candidates (before anything
is left out for its scores) and what is offered. Then the best offer is applied and everything is
done again, `--rounds` times: another round has to offer less.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from skillgauge.child import Child
from skillgauge.document.skill import Skill, load_skill
from skillgauge.fix import with_text
from skillgauge.revise import Offer, candidates, ranked, weigh
from skillgauge.scores import Profile, read_profile


@dataclass
class Tally:
    """What was measured for one metric."""

    tried: list[Offer] = field(default_factory=list)
    offered: list[Offer] = field(default_factory=list)
    skills: set[int] = field(default_factory=set)

    def line(self, name: str) -> str:
        if not self.tried:
            return f"{name:<6} no candidates"
        rises = sum(offer.rise > 0 for offer in self.tried)
        enough = sum(offer.good for offer in self.tried)
        median = statistics.median(offer.rise for offer in self.tried)
        worst = min((offer.worst for offer in self.offered), default=0.0)
        unfiltered = min(offer.worst for offer in self.tried)
        shown = statistics.median([offer.rise for offer in self.offered] or [0.0])
        return (
            f"{name:<6} {len(self.tried):>4} candidates in {len(self.skills):>2} skills, raise the"
            f" target {rises / len(self.tried):>4.0%} (median {median:+.2f}); worst fall of another"
            f" {unfiltered:+.2f} | offered {enough:>3} (median {shown:+.2f}), worst {worst:+.2f}"
        )


class Scorer:
    """Scores texts with one child."""

    def __init__(self, child: Child, cache: str | None) -> None:
        self.child, self.cache = child, cache

    def __call__(self, text: str) -> Profile:
        asked = {"text": text, "name": "SKILL.md", "cache": self.cache}
        return read_profile(self.child.ask("score", asked, lambda *_: None))


def sampled(folder: Path, number: int, seed: int, longest: int) -> list[Skill]:
    paths = sorted(folder.rglob("SKILL.md"))
    short = [path for path in paths if path.stat().st_size <= longest]
    found: list[Skill] = []
    for path in random.Random(seed).sample(short, len(short)):
        skill = load_skill(path)
        if candidates(skill):
            found.append(skill)
        if len(found) == number:
            break
    return found


def goodness(profile: Profile) -> float:
    known = [score.probability for score in profile.scores.values()]
    return statistics.fmean([value for value in known if value is not None] or [1.0])


def round_of(skill: Skill, score: Scorer) -> Iterator[Offer]:
    before = score(skill.source)
    for candidate in candidates(skill):
        offer = weigh(candidate, before, score(candidate.apply(skill.source)))
        if offer is not None:
            yield offer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--skills", type=int, default=30)
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--longest", type=int, default=8_000, help="bytes of a skill at most")
    parser.add_argument("--cache", help="a folder to keep scores in, for another run")
    parser.add_argument("--cold", type=int, default=0, help="offers to score again, each afresh")
    parser.add_argument("--show", action="store_true", help="every candidate with its change")
    options = parser.parse_args()
    with Child() as child:
        score = Scorer(child, options.cache)
        found = sampled(options.folder, options.sample, options.seed, options.longest)
        poor = sorted(found, key=lambda skill: goodness(score(skill.source)))[: options.skills]
        if options.cold:
            worst = differences(poor, score, options.cold)
            print(f"Stated changes and those of fresh processes differ by at most {worst:.4f}")
        for number in range(1, options.rounds + 1):
            poor = measured(poor, score, number, show=options.show)


def differences(skills: list[Skill], score: Scorer, number: int) -> float:
    """Return the largest difference between a stated change and one scored by a fresh process."""
    worst = 0.0
    for skill in skills:
        for offer in ranked(round_of(skill, score))[: min(1, number)]:
            number -= 1
            with Child() as child:
                after = Scorer(child, None)(offer.candidate.apply(skill.source))
            with Child() as child:
                cold = weigh(offer.candidate, Scorer(child, None)(skill.source), after)
            assert cold is not None
            worst = max(
                worst, *(abs(cold.changes[code] - offer.changes[code]) for code in cold.changes)
            )
            assert cold.tokens == offer.tokens
    return worst


def measured(skills: list[Skill], score: Scorer, number: int, *, show: bool) -> list[Skill]:
    """Print one round, and return the skills with their best offers applied."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    after: list[Skill] = []
    for index, skill in enumerate(skills):
        tried = list(round_of(skill, score))
        best = ranked(tried)
        for offer in tried:
            for key in (offer.candidate.metric, offer.candidate.name.partition(".")[0], "all"):
                tallies[key].tried.append(offer)
                tallies[key].skills.add(index)
                if offer.good:
                    tallies[key].offered.append(offer)
            if show:
                name = skill.path.parent.name if skill.path else ""
                print(
                    f"  {name}: {offer.candidate.name}: {offer.title}", file=sys.stderr, flush=True
                )
        chosen = with_text(skill, best[0].candidate.apply(skill.source)) if best else skill
        assert isinstance(chosen, Skill)
        after.append(chosen)
    print(f"Round {number}, {len(skills)} skills")
    for key in sorted(tallies, key=lambda key: (key == "all", len(key) > 2, key)):
        print("  " + tallies[key].line(key))
    return after


if __name__ == "__main__":
    main()
