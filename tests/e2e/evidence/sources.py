"""The end-to-end tests as their sources tell of them, without running any."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FIXTURE = "evidence"
_EXPRESSION = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class TestSource:
    __test__ = False
    file: str
    """Below the folder that was read."""
    name: str
    shows: bool
    """Whether it takes down evidence."""
    claims: tuple[tuple[str, ...], ...]
    """What it shows, claim by claim: the literal parts around what is filled in when it runs."""
    marked_to_fail: bool


def read_tests(room: Path) -> list[TestSource]:
    """Return the test functions of a folder and of those below it."""
    return [
        _read(file.relative_to(room).as_posix(), node)
        for file in sorted(room.rglob("test_*.py"))
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def _read(file: str, function: ast.FunctionDef) -> TestSource:
    return TestSource(
        file,
        function.name,
        shows=any(argument.arg == _FIXTURE for argument in function.args.args),
        claims=tuple(_claims(function)),
        marked_to_fail=any("mark.xfail" in ast.unparse(d) for d in function.decorator_list),
    )


def _claims(function: ast.FunctionDef) -> Iterator[tuple[str, ...]]:
    """Yield the first argument of each `evidence.show(...)`."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == f"{_FIXTURE}.show":
            yield tuple(_text(node.args[0]).split(_EXPRESSION))


def _text(claim: ast.expr) -> str:
    match claim:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part) for part in parts)
        case _:
            return _EXPRESSION
