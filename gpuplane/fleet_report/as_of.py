"""The day that a page is of."""

import datetime as dt
from pathlib import Path

from charts_py.platform.render_error import RenderError
from gpuplane.versions.git import find_checkout

_REMEDY = "name the day: --as-of YYYY-MM-DD"


def newest_commit_day(folder: Path) -> dt.date:
    """Return the day of the newest commit of a checkout, in UTC.

    So that the page of a commit is the same on every day. Raises RenderError where there is none,
    GitError where git cannot answer.
    """
    checkout = find_checkout(folder)
    if checkout is None:
        raise RenderError(f"{folder}: in no git checkout, so there is no day; {_REMEDY}")
    if checkout.commit("HEAD") is None:
        raise RenderError(f"{folder}: nothing was committed yet, so there is no day; {_REMEDY}")
    seconds = checkout.run("log", "-1", "--format=%ct", "HEAD")
    return dt.datetime.fromtimestamp(int(seconds), dt.UTC).date()
