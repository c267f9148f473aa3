"""Doing the same to many things, on all processors.

The processes of a ProcessPoolExecutor outlive a parent that is terminated, and it passes each share
through two queues and the threads that serve them, which takes more of the processors.
"""

import os
import signal
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

MIN_PER_PROCESS = 30
"""Number of things from which on a second process is worth its start."""

_MAX_SHARES = 256
"""The smallest pipe that Linux makes has room for as many."""
_FIRST = struct.Struct("=q")
"""The index of the first thing names a share."""

_Thing = TypeVar("_Thing")
_Result = TypeVar("_Result")
_Done: TypeAlias = dict[int, Sequence[_Result]]
"""The results of each share by its first thing."""


def spread(
    work: Callable[[Sequence[_Thing]], Sequence[_Result]], things: Sequence[_Thing]
) -> list[_Result]:
    """Return the result of work on each of the things, a few at a time.

    Other processes are forked, so that they know all that this one knows. Each takes the next few
    when it is done with those before, since some take far longer than others. Raises what one of
    the processes raises, or OSError where one ends without a word.
    """
    processes = _processes(len(things))
    if processes == 1:
        return [*work(things)]
    size = -(-len(things) // _MAX_SHARES)
    # Only one process reads what is in a pipe, which ends where nobody can write to it.
    shares, writing = os.pipe()
    os.write(writing, b"".join(map(_FIRST.pack, range(0, len(things), size))))
    os.close(writing)

    def do() -> _Done[_Result]:
        done: _Done[_Result] = {}
        while read := os.read(shares, _FIRST.size):
            (first,) = _FIRST.unpack(read)
            done[first] = work(things[first : first + size])
        return done

    try:
        started = [_start(do) for _ in range(1, processes)]
        done = do()
        for process, answers in started:
            done |= _answer(process, answers)
    finally:
        os.close(shares)
    return [result for first in sorted(done) for result in done[first]]


def _processes(things: int) -> int:
    if sys.platform != "linux":
        return 1  # elsewhere a fork may break what the system's own libraries hold
    return max(1, min(len(os.sched_getaffinity(0)), things // MIN_PER_PROCESS))


def _start(do: Callable[[], _Done[_Result]]) -> "tuple[BaseProcess, Connection]":
    import multiprocessing  # noqa: PLC0415 # importing it takes longer than judging a file

    context = multiprocessing.get_context("fork")
    answers, answer = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(do, answers, answer), daemon=True)
    process.start()
    answer.close()
    return process, answers


def _run(do: Callable[[], _Done[_Result]], answers: "Connection", answer: "Connection") -> None:
    # Ctrl-C reaches all processes: the parent alone reports it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Now only the parent can read, so that an answer to a parent that is gone fails.
    answers.close()
    try:
        outcome: _Done[_Result] | Exception = do()
    except Exception as error:  # the parent raises it
        outcome = error
    with suppress(BrokenPipeError):
        answer.send(outcome)


def _answer(process: "BaseProcess", answers: "Connection") -> _Done[_Result]:
    try:
        outcome = answers.recv()
    except EOFError as error:
        raise OSError("a process of the linter was stopped: memory may have run out") from error
    finally:
        process.join()
    if isinstance(outcome, Exception):
        raise outcome
    return outcome  # type: ignore[no-any-return] # what the other process has sent
