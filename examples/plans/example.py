"""An example: a change of a cluster file, and what its pull request says of it."""

import datetime as dt
import re
import shutil
import subprocess
from pathlib import Path

from examples.plans.picture import picture
from gpuplane.fleet_report.fleet_page import report_of
from gpuplane.fleet_report.markdown_format import page_markdown
from gpuplane.plan.markdown_format import to_markdown
from gpuplane.plan.planning import PlanRequest, plan
from gpuplane.versions.base import find_base
from gpuplane.versions.synth import SynthRequest, synthesize

EXAMPLES = Path(__file__).parent
REPOSITORY = EXAMPLES.parents[1]
PICTURE = REPOSITORY / "docs" / "pictures" / "plan.svg"
PLAN, REPORT, CHANGE, BASE = "plan.md", "report.md", "change.diff", "base.diff"
_TODAY = dt.date(2026, 11, 24)


def example_folders() -> tuple[Path, ...]:
    """Return the folder of each example: `change.diff`, and what is written of it.

    Where there is a `base.diff`, it is applied before; else the base is `clusters/` as it is.
    """
    return tuple(sorted(file.parent for file in EXAMPLES.glob(f"*/{CHANGE}")))


def readme_picture() -> str:
    """Return the picture of the README, of what was written of an example."""
    folder = EXAMPLES / "mig-layout"
    change, said = (file.read_text(encoding="utf-8") for file in (folder / CHANGE, folder / PLAN))
    return picture(change, said)


def written(example: Path, scratch: Path) -> dict[str, str]:
    """Return comment and report of the pull request that makes the change, by file.

    It is made in a repository of its own, and the report is of the cluster that changes.
    """
    shutil.copytree(REPOSITORY / "clusters", scratch / "clusters")
    cluster = _changed_cluster(example)
    _make_live(scratch / "clusters" / f"{cluster}.yaml")
    _git(scratch, "init", "--quiet", "--initial-branch", "main")
    _commit(scratch, cluster)
    if (example / BASE).exists():
        _git(scratch, "apply", str(example / BASE))
        _commit(scratch, cluster)
    _git(scratch, "apply", str(example / CHANGE))
    _synth(scratch, cluster)
    clusters, dist = scratch / "clusters", scratch / "dist"
    base = find_base(scratch, "main")
    asked = PlanRequest(clusters, dist, _TODAY, (cluster,), base)
    page = report_of(clusters, dist, (cluster,), _TODAY, base)
    return {PLAN: to_markdown(plan(asked)), REPORT: page_markdown(page)}


def _changed_cluster(example: Path) -> str:
    """Return the cluster whose file is changed, as `--- a/clusters/NAME.yaml` says."""
    first, *_ = (example / CHANGE).read_text(encoding="utf-8").splitlines()
    return Path(first.split()[-1]).stem


def _make_live(file: Path) -> None:
    """Let the version that a pre-release prepares be what is live before the change."""
    text = file.read_text(encoding="utf-8")
    released = re.sub(
        r"^version: (\S+)-rc\.\d+\nlive: .*$", r"version: \1", text, flags=re.MULTILINE
    )
    file.write_text(released, encoding="utf-8")


def _commit(scratch: Path, cluster: str) -> None:
    _synth(scratch, cluster)
    _git(scratch, "add", "--all")
    _git(scratch, "commit", "--quiet", "--message", "Base")


def _synth(scratch: Path, cluster: str) -> None:
    synthesize(SynthRequest(scratch / "clusters", scratch / "dist", (cluster,), check=False))


def _git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=example", "-c", "user.email=example@example.com")
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True)  # noqa: S603, S607 # no shell; git of the machine
