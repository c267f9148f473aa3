"""Versions of a cluster, and how they are promoted."""

from collections.abc import Iterator

from semver import Version

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.kubernetes_version import NOT_LIVE
from charts_py.platform.draft import Draft
from gpus.nearest import nearest

_FIELD = "promotion"


def check_versions(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a live version that no synth has rendered yet."""
    version, live = draft.cluster.version, draft.cluster.live
    if live in (None, NOT_LIVE) or not draft.is_read(("version",)):
        return
    if Version.parse(live) > Version.parse(version):
        yield Problem(("live",), f"{live} is later than the version, {version}", f"up to {version}")


def check_promotion(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each name without a cluster file, and each freeze that never holds."""
    if not draft.is_whole((_FIELD,)):
        return
    files = draft.directory.glob("*.yaml")
    known = sorted(file.stem for file in files if file.name != FLEET_FILE)
    for path, name in _names(draft):
        if name not in known:
            yield Problem(path, f'unknown cluster "{name}"', ", ".join(known), nearest(name, known))
    for index, freeze in enumerate(draft.cluster.promotion.freezes):
        if freeze.begins >= freeze.ends:
            path = (_FIELD, "freezes", index, "to")
            yield Problem(path, f"{freeze.to} is not after {freeze.from_}", "a later time")


def _names(draft: Draft) -> Iterator[tuple[FieldPath, str]]:
    promotion = draft.cluster.promotion
    for index, name in enumerate(promotion.chain):
        yield (_FIELD, "chain", index), name
    for index, freeze in enumerate(promotion.freezes):
        for number, name in enumerate(freeze.clusters):
            yield (_FIELD, "freezes", index, "clusters", number), name
