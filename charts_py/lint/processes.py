"""Doing the same to many things, on all processors."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

MIN_PER_PROCESS = 30
"""Things for which a second process is worth its start."""

_Thing = TypeVar("_Thing")
_Result = TypeVar("_Result")
_Work: TypeAlias = Callable[[Sequence[_Thing]], Sequence[_Result]]


def spread(work: _Work[_Thing, _Result], things: Sequence[_Thing]) -> list[_Result]:
    """Return what work makes of each of the things, which may be shared among processes.

    They are forked, so that they know all that this one knows, and raises what one of them raises,
    or OSError where one ends without a word.
    """
    processes = _processes(len(things))
    if processes == 1:
        return [*work(things)]
    shares = [things[first::processes] for first in range(processes)]
    started = [_start(work, share) for share in shares[1:]]
    results = [work(shares[0]), *(_answer(process, answers) for process, answers in started)]
    return [results[index % processes][index // processes] for index in range(len(things))]


def _processes(things: int) -> int:
    if sys.platform != "linux":
        return 1  # elsewhere a fork may break what the system's own libraries hold
    return max(1, min(len(os.sched_getaffinity(0)), things // MIN_PER_PROCESS))


def _start(
    work: _Work[_Thing, _Result], share: Sequence[_Thing]
) -> "tuple[BaseProcess, Connection]":
    import multiprocessing  # noqa: PLC0415 # importing it takes longer than judging a file

    context = multiprocessing.get_context("fork")
    answers, answer = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(work, share, answer), daemon=True)
    process.start()
    answer.close()
    return process, answers


def _run(work: _Work[_Thing, _Result], share: Sequence[_Thing], answer: "Connection") -> None:
    try:
        outcome: Sequence[_Result] | Exception = work(share)
    except Exception as error:  # the other process raises it
        outcome = error
    answer.send(outcome)


def _answer(process: "BaseProcess", answers: "Connection") -> Sequence[_Result]:
    try:
        outcome = answers.recv()
    except EOFError as error:
        raise OSError("a process of the linter was stopped: memory may have run out") from error
    finally:
        process.join()
    if isinstance(outcome, Exception):
        raise outcome
    return outcome  # type: ignore[no-any-return] # what the other process has sent
