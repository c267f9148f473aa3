"""What is meant by words that gpuplane does not know, such as those of other tools."""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from gpuplane.terminal import harmless
from gpus.nearest import nearest

_ARGO_CD = "gpuplane synth, and merge dist/, which Argo CD then applies"
_FLEET_PAGE = "gpuplane report"

COMMANDS_OF_OTHERS = {
    **dict.fromkeys(("apply", "deploy", "install", "sync", "upgrade"), _ARGO_CD),
    **dict.fromkeys(("build", "compile", "generate", "render", "template"), "gpuplane synth"),
    **dict.fromkeys(("check", "ci", "verify"), "gpuplane synth --check"),
    **dict.fromkeys(("bootstrap", "quickstart", "setup", "start"), "gpuplane init"),
    **dict.fromkeys(("describe", "get", "list", "ls", "show", "status"), _FLEET_PAGE),
    **dict.fromkeys(("delete", "destroy", "rm", "uninstall"), "gpuplane remove"),
    **dict.fromkeys(("add", "create", "run", "scaffold", "submit"), "gpuplane new"),
    **dict.fromkeys(("explain", "rule"), "gpuplane rules"),
    **dict.fromkeys(("convert", "fmt", "format"), "gpuplane migrate"),
    **dict.fromkeys(("dry-run", "mutate", "test"), "gpuplane admit"),
    **dict.fromkeys(("rollback", "undo"), "gpuplane promote CLUSTER VERSION, with an earlier one"),
    **dict.fromkeys(("gc", "cleanup"), "gpuplane prune"),
    **dict.fromkeys(("preview", "what-if"), "gpuplane plan"),
    **dict.fromkeys(("man", "manual"), "gpuplane docs"),
    "rollout": "gpuplane promote",
    "gpus": "gpuplane hardware",
    "quota": "gpuplane queues",
    "webhook": "gpuplane serve",
}
"""What to run for words of kubectl, Helm, Terraform, Argo CD and Kustomize."""

_PROGRAM = "PROGRAM..."
_CLUSTERS = ("CLUSTER", "CLUSTER...", "[CLUSTER...] [VERSION]")
_FILES = ("--from", "FILE", "FILE...", "PATH...", "--file", *_CLUSTERS)

OPTIONS_OF_OTHERS = {
    **dict.fromkeys(("--all", "--cluster", "--clusters", "-c"), _CLUSTERS),
    **dict.fromkeys(("--file", "--filename", "-f"), _FILES),
    **dict.fromkeys(("--out", "--output-file"), ("--file", "--to")),
    "--write": ("--to", "--file"),
    **dict.fromkeys(("--exit-code", "--detailed-exitcode"), ("--fail-on",)),
    **dict.fromkeys(("--auto-approve", "--assume-yes"), ("--yes",)),
    **dict.fromkeys(("--diff", "--dry-run"), ("--dry-run", "--check", "--diff")),
    "--check": ("--dry-run",),
    "--json": ("-o json",),
    "--yaml": ("-o yaml",),
    "--markdown": ("-o markdown",),
    "--format": ("--output",),
    "--force": ("--overwrite", "--yes"),
    "--since": ("--base",),
    "--to": ("[CLUSTER...] [VERSION]",),
    **dict.fromkeys(("-v", "--verbose"), ("--version", "--verbose")),
    "--version": ("[CLUSTER...] [VERSION]", "OLD"),
}
"""Options of other tools, and what may mean the same here: an option, or an argument."""


def unknown_command(word: str, commands: Collection[str]) -> str:
    """Return a message that says what to run instead, where something is near."""
    meant = COMMANDS_OF_OTHERS.get(word.lower())
    if meant is None:
        meant = ", ".join(f"gpuplane {each}" for each in nearest(word, commands))
    hint = f"try {meant}" if meant else "gpuplane help lists all"
    return f"no command is called {harmless(word)}; {hint}"


def option_meant(word: str, command: Any) -> str:
    """Return what to write in place of an unknown option; empty where nothing is near."""
    known = set(_known(command))
    for meant in OPTIONS_OF_OTHERS.get(word, ()):
        if meant in known:
            return meant if meant.startswith("-") else f"the argument {meant}"
        if meant.startswith("-o ") and hasattr(command, "commands"):
            return f"{meant} after the command"
    return ", ".join(nearest(word, sorted(each for each in known if each.startswith("--"))))


def _known(command: Any) -> Iterator[str]:
    """Yield all that can be written: options, values of `-o`, and arguments."""
    for each in command.params:
        yield from (name for name in each.opts if name.startswith("--"))
        if "-o" in each.opts:
            choices = getattr(each.type, "choices", ())
            yield from (f"-o {getattr(choice, 'value', choice)}" for choice in choices)
        if each.param_type_name == "argument":
            yield each.metavar or each.name.upper()


_NUMBERS = {"int": "a whole number", "float": "a number"}


def _say_what_is_allowed(error: Any) -> None:
    """Have the message of a wrong value end with what is allowed, as those of files do."""
    kind: Any = getattr(getattr(error, "param", None), "type", None)
    given, _, _ = str(getattr(error, "message", "")).partition(" is not ")
    if choices := getattr(kind, "choices", ()):
        names = ", ".join(str(getattr(each, "value", each)) for each in choices)
        error.message = f"{given} is unknown; allowed: {names}"
    elif hasattr(kind, "min"):
        most = "" if kind.max is None else f", at most {kind.max}"
        what = _NUMBERS[kind.name.partition(" ")[0]]
        error.message = f"{given} is out of bounds; allowed: {what}, at least {kind.min}{most}"
    elif (number := _NUMBERS.get(getattr(kind, "name", ""))) is not None:
        error.message = f"{given} is not a number; allowed: {number}"


_OF_CLICK = (" is not a valid ", " is not one of ", " is not in the range ")
_WITHOUT_VALUE = re.compile("Option '(.+)' requires (?:an argument|[0-9]+ arguments)[.]")
_TOO_MANY = re.compile(r"Got unexpected extra argument\S* \((.+)\)")


def _told_otherwise(message: str, command: Any) -> str | None:
    """Return a message of Click's in other words; None where its own will do."""
    if (found := _WITHOUT_VALUE.match(message)) is not None:
        return f"{found[1]} needs a value behind it"
    if (found := _TOO_MANY.match(message)) is not None:
        arguments = [one for one in _known(command) if not one.startswith("-")]
        allowed = ", ".join(arguments) or "options alone"
        return f"one argument too many: {harmless(found[1])}; allowed: {allowed}"
    return None


@contextmanager
def with_near_options(command: Any, context: typer.Context) -> Iterator[None]:
    """Name the option that is meant where one is not known, and what a value may be."""
    try:
        yield
    except typer.BadParameter as error:
        if any(words in error.message for words in _OF_CLICK):
            _say_what_is_allowed(error)
        raise
    except typer.TyperException as error:
        if not hasattr(error, "possibilities"):  # that of an unknown option alone has them
            if (told := _told_otherwise(error.message, command)) is not None:
                context.fail(told)
            raise
        word = str(getattr(error, "option_name", ""))
        meant = option_meant(word, command)
        if context.parent and any(word in each.opts for each in context.find_root().command.params):
            meant = f"it before {context.info_name}"
        if not meant and _PROGRAM in _known(command):
            meant = "-- before PROGRAM, if it is an option of that"
        hint = f"; try {meant}" if meant else ""
        context.fail(f"no option is called {harmless(word)}{hint}")
