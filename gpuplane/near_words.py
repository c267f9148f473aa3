"""What is meant by words that gpuplane does not know, such as those of other tools."""

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
_FILES = ("--from", "FILE", "FILE...", "PATH...", "--file")

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
    kind = getattr(getattr(error, "param", None), "type", None)
    given, _, _ = str(getattr(error, "message", "")).partition(" is not ")
    if choices := getattr(kind, "choices", ()):
        names = ", ".join(str(getattr(each, "value", each)) for each in choices)
        error.message = f"{given} is unknown; allowed: {names}"
    elif (number := _NUMBERS.get(getattr(kind, "name", ""))) is not None:
        error.message = f"{given} is not a number; allowed: {number}"


@contextmanager
def with_near_options(command: Any, context: typer.Context) -> Iterator[None]:
    """Name the option that is meant where one is not known, and what a value may be."""
    try:
        yield
    except typer.BadParameter as error:
        if " is not a valid " in error.message or " is not one of " in error.message:
            _say_what_is_allowed(error)
        raise
    except typer.TyperException as error:
        if not hasattr(error, "possibilities"):  # that of an unknown option alone has them
            raise
        word = str(getattr(error, "option_name", ""))
        meant = option_meant(word, command)
        if context.parent and any(word in each.opts for each in context.find_root().command.params):
            meant = f"it before {context.info_name}"
        if not meant and _PROGRAM in _known(command):
            meant = "-- before PROGRAM, if it is an option of that"
        hint = f"; try {meant}" if meant else ""
        context.fail(f"no option is called {harmless(word)}{hint}")
