import sys
from pathlib import Path

import pytest

from policies.finding import MAX_FRAMES, Failure, failure_of

ROOT = Path(__file__).parents[2]


def _fail(depth: int) -> None:
    if depth:
        _fail(depth - 1)
    raise KeyError("secret value")


def _failure(depth: int) -> Failure:
    with pytest.raises(KeyError) as raised:
        _fail(depth)
    return failure_of(raised.value)


@pytest.fixture(autouse=True)
def imported_from_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["", "/", str(ROOT.parent), str(ROOT)])


def test_a_failure_names_files_as_they_are_imported_and_no_value() -> None:
    caller, raiser = _failure(0).frames
    line = _fail.__code__.co_firstlineno
    assert caller.startswith("tests/policies/test_finding.py:")
    assert caller.endswith(" in _failure")
    assert raiser == f"tests/policies/test_finding.py:{line + 3} in _fail"
    assert _failure(0).error == "KeyError"


def test_a_failure_names_the_innermost_frames_alone() -> None:
    line = _fail.__code__.co_firstlineno
    file = "tests/policies/test_finding.py"
    outer = [f"{file}:{line + 2} in _fail"] * (MAX_FRAMES - 1)
    assert _failure(100).frames == (*outer, f"{file}:{line + 3} in _fail")
