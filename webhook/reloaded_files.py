"""Reads files again when they change; where they are broken, what was read last is kept."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from watchfiles import awatch

from policies.finding import failure_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from structlog.typing import FilteringBoundLogger

    from webhook.metrics import Metrics

RELOAD_SECONDS = 30
"""Files are read again this often even if no change was seen, since some file systems report
none."""
SETTLE_MILLISECONDS = 200
"""How long changes are collected before files are read again."""


class ReloadError(Exception):
    """Why a file could not be loaded."""

    def __init__(self, file: Path, problem: str) -> None:
        super().__init__(f"{file}: {problem}")


class Reloaded(Protocol):
    """Something that is loaded from files."""

    @property
    def name(self) -> str:
        """What it is called in metrics and logs."""

    @property
    def files(self) -> Sequence[Path]:
        """What it is loaded from."""

    def reload(self) -> None:
        """Read the files again; raises ReloadError, and then keeps what was read last."""


def read(file: Path) -> bytes:
    """Return the contents of a file; raises ReloadError."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise ReloadError(file, error.strerror or str(error)) from error


async def keep_reloaded(
    watched: Sequence[Reloaded], metrics: Metrics, log: FilteringBoundLogger
) -> None:
    """Reload what changed, until cancelled.

    Directories are watched, not files: the kubelet swaps a symbolic link beside them
    (https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/#mounted-configmaps-are-updated-automatically).
    """
    _reload(watched, metrics, log)
    directories = {file.parent for reloaded in watched for file in reloaded.files}
    while True:
        try:
            changes = awatch(
                *directories,
                watch_filter=None,
                recursive=False,
                step=SETTLE_MILLISECONDS // 4,
                debounce=SETTLE_MILLISECONDS,
                rust_timeout=RELOAD_SECONDS * 1000,
                yield_on_timeout=True,
            )
            async for _ in changes:
                _reload(watched, metrics, log)
        except OSError as error:  # a directory vanished, or there are no watches left
            log.warning("files are not watched", problem=str(error))
            await asyncio.sleep(RELOAD_SECONDS)
            _reload(watched, metrics, log)


def _reload(watched: Sequence[Reloaded], metrics: Metrics, log: FilteringBoundLogger) -> None:
    for reloaded in watched:
        try:
            reloaded.reload()
        except Exception as error:  # whatever is wrong with a file, the next one is read
            metrics.reload_failed(reloaded.name)
            if isinstance(error, ReloadError):
                problem: dict[str, object] = {"problem": str(error)}
            else:
                failure = failure_of(error)
                problem = {"exception": failure.error, "frames": failure.frames}
            # A traceback may show what is in the file.
            log.error("the last good version is kept", what=reloaded.name, **problem)  # noqa: TRY400
        else:
            metrics.reloaded(reloaded.name)
