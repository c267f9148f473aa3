"""What is wrong with a workload as it is asked for."""

from collections.abc import Sequence

from charts_py.cluster_file.fault import Problem
from charts_py.platform.render_error import RenderError


class AskedError(RenderError):
    """Raised with every problem; the path of each is the option of `gpuplane new`."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


def missing(option: str, allowed: str) -> AskedError:
    """Return the error of an option without which there is no answer."""
    return AskedError([Problem((option,), "missing", allowed)])


def wrong(option: str, what: str, allowed: str | None = None) -> AskedError:
    """Return the error of an option that is wrong."""
    return AskedError([Problem((option,), what, allowed)])
