"""Arguments and steps that several commands share."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from skillgauge.cli._output import say
from skillgauge.cli._parser import Namespace, Parser, flat, one_of, words
from skillgauge.config import PROFILE_NAMES, Config
from skillgauge.errors import InputError, UserError
from skillgauge.project import Project, Target, named_kind_or_none, shown


def add_choice_of_files(parser: Parser) -> None:
    """Declare the paths and what is passed over."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="folders, files or patterns; by default “.”"
    )
    parser.add_argument(
        "--stdin-filename", metavar="FILE", help="the name of the text that “-” stands for"
    )
    parser.add_argument(
        "--force-exclude",
        action="store_true",
        help="pass over excluded and ignored files even if they are named",
    )


def add_choice_of_rules(parser: Parser) -> None:
    """Declare what chooses rules."""
    group = parser.add_argument_group("rules", "lists of codes, their beginnings, names, or “all”")
    group.add_argument(
        "--profile",
        type=one_of("--profile", PROFILE_NAMES),
        metavar="NAME",
        help=f"one of {', '.join(PROFILE_NAMES)}",
    )
    for name, text in (
        ("--select", "only these rules"),
        ("--extend-select", "these rules too"),
        ("--ignore", "not these rules"),
    ):
        group.add_argument(name, type=words, action="append", metavar="LIST", help=text)
    group.add_argument(
        "--clients", type=words, action="append", metavar="LIST", help="who reads these skills"
    )


def add_configuration(parser: Parser) -> None:
    """Declare where the configuration comes from."""
    group = parser.add_argument_group("configuration")
    group.add_argument(
        "--config", metavar="FILE", help="this file, whatever lies beside the skills"
    )
    group.add_argument("--isolated", action="store_true", help="no configuration file")


def project_of(options: Namespace) -> Project:
    """Return the project that the options ask for."""
    select = flat(options.select)
    lists = [flat(given) or [] for given in (options.extend_select, options.ignore)]
    clients = flat(options.clients) or []
    asked = options.profile or select is not None or any(lists) or clients

    def adjust(config: Config) -> Config:
        if not asked:
            return config
        return config.with_cli(
            select=select,
            extend_select=lists[0],
            ignore=lists[1],
            profile=options.profile,
            clients=clients,
        )

    path = None
    if options.config and not options.isolated:
        path = Path(os.path.abspath(options.config))
        if not path.is_file():
            raise InputError(f"The configuration “{options.config}” does not exist")

    def read(path: Path) -> Config:
        from skillgauge.config_cache import load_cached

        return load_cached(path, cache_folder(options))

    return Project(read, config=path, isolated=options.isolated, adjust=adjust)


def cache_folder(options: Namespace) -> Path | None:
    """Return where to keep what is worked out; None for nowhere."""
    if getattr(options, "no_cache", False):
        return None
    from skillgauge.cache import default_folder

    given = getattr(options, "cache_dir", None)
    return Path(os.path.abspath(given)) if given else default_folder()


def targets_of(options: Namespace, project: Project) -> tuple[list[Target], dict[str, bytes]]:
    """Return the files that the options ask for, and the bytes of those not read from disk."""
    paths = options.paths or ["."]
    if "-" not in paths:
        if options.stdin_filename:
            raise UserError("--stdin-filename names what “-” stands for, and there is no “-”")
        targets = project.targets(paths, force_exclude=options.force_exclude)
        for folder, why in project.unreadable.items():
            say(f"{shown(folder)} is passed over, for it can't be read: {why}")
        return targets, {}
    if paths != ["-"]:
        raise UserError("“-” can't be mixed with other paths")
    name = options.stdin_filename or ""
    path = os.path.abspath(name) if name else ""
    kind = named_kind_or_none(name or "SKILL.md")
    if kind is None:
        raise UserError(f"“{name}” is neither a skill nor an evaluation file")
    return [project.target(path, kind)], {path: _read_stdin()}


def _read_stdin() -> bytes:
    """Return what standard input has, at most one byte more than is looked at."""
    from skillgauge.document.files import MAX_BYTES

    return sys.stdin.buffer.read(MAX_BYTES + 1)
