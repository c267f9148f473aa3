"""Whole numbers that a container declares literally: in variables and in options."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gpuplane.lint.rule import RuleFinding
from policies.container import Container
from policies.document import Json, elements, text

_OPTION, _VALUE = re.compile(r"--?[\w-]+"), re.compile(r"\S+")
_WITH_VALUE = re.compile(r"(?<![\w-])--?([\w-]+)(?=(?:\s*=\s*|\s+)[\"']?([^\s\"';&|)]+))")
"""An option, and a look ahead at its value, which may be another option."""
_REFERENCE = re.compile(r"\$\$|\$\(([\w.-]+)\)")


class DeclaredNumber(NamedTuple):
    pointer: str
    """JSON Pointer from the pod."""
    name: str
    """Name of the variable or the option, as it is written."""
    value: int

    def finding(self, wrong: str, remedy: str) -> RuleFinding:
        """Return a finding on it; `wrong` is the rest of the sentence."""
        return RuleFinding(self.pointer, f"{self.name} is {self.value}, {wrong}.", remedy)


def whole_number(value: Json) -> int | None:
    """Return a number, or the one that a text consists of; None for everything else."""
    if type(value) is int:
        return value
    found = text(value).strip()
    return int(found) if re.fullmatch(r"[0-9]{1,9}", found) else None


def variables(container: Container, names: tuple[str, ...]) -> Iterator[DeclaredNumber]:
    for name in names:
        for index, entry in container.variables(name):
            if (value := whole_number(entry.get("value"))) is not None:
                yield DeclaredNumber(f"{container.pointer}/env/{index}/value", name, value)


class DeclaredPart(NamedTuple):
    pointer: str
    """JSON Pointer from the pod."""
    value: float


class DeclaredOptions:
    """The options of the command that a container starts, also inside a shell script.

    A `-` in a name may be written as `_`.
    """

    def __init__(self, container: Container) -> None:
        self._found: dict[str, list[tuple[str, re.Match[str]]]] = {}
        for pointer, words in _texts(container):
            for match in _WITH_VALUE.finditer(words):
                name = match[1].replace("_", "-")
                self._found.setdefault(name, []).append((pointer, match))

    def number(self, names: tuple[str, ...]) -> DeclaredNumber | None:
        """Return the value of the option of one of these names.

        None where it is not a number, and where it is given more than once, since it is not known
        here which one counts.
        """
        pointer, match = self._only(names) or ("", None)
        value = None if match is None else whole_number(match[2])
        return None if match is None or value is None else DeclaredNumber(pointer, match[0], value)

    def part(self, names: tuple[str, ...]) -> DeclaredPart | None:
        """Return the same of a decimal number such as 0.9."""
        pointer, match = self._only(names) or ("", None)
        is_number = match is not None and re.fullmatch(r"\d{0,9}\.?\d{1,9}", match[2], re.ASCII)
        return DeclaredPart(pointer, float(match[2])) if match and is_number else None

    def _only(self, names: tuple[str, ...]) -> tuple[str, re.Match[str]] | None:
        found = [each for name in names for each in self._found.get(name, ())]
        return found[0] if len(found) == 1 else None

    def has(self, names: tuple[str, ...]) -> bool:
        return any(name in self._found for name in names)


def command_text(container: Container) -> str:
    return " ".join(word for field in ("command", "args") for word in _words(container, field))


def _words(container: Container, field: str) -> list[str]:
    """Return the words of a field with the literal variables that Kubernetes puts in.

    https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/
    """

    def value(reference: re.Match[str]) -> str:
        # Of several variables of a name, the last one counts; `$$` keeps a reference as it is.
        *_, last = (None, {}), *container.variables(reference[1] or "")
        return text(last[1].get("value")) or reference[0]

    return [_REFERENCE.sub(value, text(word)) for word in elements(container.raw.get(field))]


def _texts(container: Container) -> Iterator[tuple[str, str]]:
    """Yield each word of the command with the one behind it, and its place.

    `["--nnodes", "2"]` is one option in two words; `--nnodes=2` is one in one.
    """
    for field in ("command", "args"):
        words = _words(container, field)
        for index, word in enumerate(words):
            behind = words[index + 1] if index + 1 < len(words) else ""
            is_option = _OPTION.fullmatch(word) and _VALUE.fullmatch(behind)
            yield f"{container.pointer}/{field}/{index}", f"{word} {behind}" if is_option else word
