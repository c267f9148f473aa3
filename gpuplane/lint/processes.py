"""Doing the same to many things, on all processors."""

import os
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

MIN_PER_PROCESS = 30
"""Things for which a second process is worth its start."""

_MAX_SHARES = 256
"""As many as the smallest pipe that Linux makes has room for."""
_FIRST = struct.Struct("=q")
"""A share is named by its first thing."""

_Thing = TypeVar("_Thing")
_Result = TypeVar("_Result")
_Work: TypeAlias = Callable[[Sequence[_Thing]], Sequence[_Result]]


def spread(work: _Work[_Thing, _Result], things: Sequence[_Thing]) -> list[_Result]:
    """Return what work makes of each of the things, a few at a time.

    Other processes are forked, so that they know all that this one knows. Each takes the next few
    when it is done with those before. Raises what one of them raises, or OSError where one ends
    without a word.
    """
    processes = _processes(len(things))
    if processes == 1:
        return [*work(things)]
    with closing(_Shares(work, things)) as shares:
        started = [_start(shares) for _ in range(1, processes)]
        done = shares.done()
        for process, answers in started:
            done |= _answer(process, answers)
    return [result for first in sorted(done) for result in done[first]]


def _processes(things: int) -> int:
    if sys.platform != "linux":
        return 1  # elsewhere a fork may break what the system's own libraries hold
    return max(1, min(len(os.sched_getaffinity(0)), things // MIN_PER_PROCESS))


class _Shares(Generic[_Thing, _Result]):
    """A few things at a time, to whoever asks first: some take far longer than others."""

    def __init__(self, work: _Work[_Thing, _Result], things: Sequence[_Thing]) -> None:
        self._work, self._things = work, things
        self._size = -(-len(things) // _MAX_SHARES)
        # What is in a pipe is read by one process alone, and it ends where nobody can write.
        self._next, writing = os.pipe()
        os.write(writing, b"".join(map(_FIRST.pack, range(0, len(things), self._size))))
        os.close(writing)

    def done(self) -> dict[int, Sequence[_Result]]:
        """Do what nobody else does; return the results of each share by its first thing."""
        done: dict[int, Sequence[_Result]] = {}
        while read := os.read(self._next, _FIRST.size):
            (first,) = _FIRST.unpack(read)
            done[first] = self._work(self._things[first : first + self._size])
        return done

    def close(self) -> None:
        """Close the pipe."""
        os.close(self._next)


def _start(shares: _Shares[_Thing, _Result]) -> "tuple[BaseProcess, Connection]":
    import multiprocessing  # noqa: PLC0415 # importing it takes longer than judging a file

    context = multiprocessing.get_context("fork")
    answers, answer = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(shares, answer), daemon=True)
    process.start()
    answer.close()
    return process, answers


def _run(shares: _Shares[_Thing, _Result], answer: "Connection") -> None:
    try:
        outcome: dict[int, Sequence[_Result]] | Exception = shares.done()
    except Exception as error:  # the other process raises it
        outcome = error
    answer.send(outcome)


def _answer(process: "BaseProcess", answers: "Connection") -> dict[int, Sequence[_Result]]:
    try:
        outcome = answers.recv()
    except EOFError as error:
        raise OSError("a process of the linter was stopped: memory may have run out") from error
    finally:
        process.join()
    if isinstance(outcome, Exception):
        raise outcome
    return outcome  # type: ignore[no-any-return] # what the other process has sent
