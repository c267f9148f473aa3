"""The day that a page is of."""

import datetime as dt
import subprocess
from pathlib import Path

from gpuplane.fleet_report.fleet_facts import newest_commit_day
from policies.admission import today


def _git(folder: Path, *arguments: str, **environment: str) -> None:
    who = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")
    variables = {f"GIT_{each}": "a@b" for each in who} | environment
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, env=variables)


def test_it_is_that_of_the_newest_commit_in_utc(tmp_path: Path) -> None:
    _git(tmp_path, "init", "--quiet")
    when = {"GIT_COMMITTER_DATE": "2027-01-31T23:30:00-02:00"}
    _git(tmp_path, "commit", "--quiet", "--allow-empty", "-m", "one", **when)
    assert newest_commit_day(tmp_path) == dt.date(2027, 2, 1)


def test_without_a_commit_the_newest_day_is_today(tmp_path: Path) -> None:
    outside = newest_commit_day(tmp_path)
    _git(tmp_path, "init", "--quiet")
    assert (outside, newest_commit_day(tmp_path)) == (today(), today())
