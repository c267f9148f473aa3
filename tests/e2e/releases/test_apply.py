"""Everything in `dist/` is taken by an API server that knows the pinned definitions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.control_plane.api_client import Answer, ApiClient
from tests.e2e.control_plane.control_plane import running_control_plane
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import DIST
from tests.e2e.releases.synced import apply_all, documents_in, prepare, synced_objects

FLEET = "fleet"
CLUSTERS = sorted(file.parent.name for file in DIST.glob("*/root-application.yaml"))
VERSIONED = "training"
WRITTEN_BY_CONTROLLERS = {
    "metadata": {"resourceVersion", "generation", "managedFields"},
    "spec": {"replicas"},
}
"""By the part of an object that it stands in."""
PATIENCE_SECONDS = 120
FINALIZER = (
    'metadata.finalizers: "resources-finalizer.argocd.argoproj.io": prefer a domain-qualified '
    "finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers"
)
"""Argo CD knows the finalizer of an AppProject by this name only."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A folder of `dist/` in a cluster of its own."""

    name: str
    client: ApiClient
    objects: Sequence[Document]
    answers: Sequence[Answer]


@pytest.fixture(scope="module", params=[FLEET, *CLUSTERS])
def applied(
    request: pytest.FixtureRequest,
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    platforms: dict[str, Platform],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Applied]:
    """What Argo CD syncs of a folder, applied once."""
    name = request.param
    folder = tmp_path_factory.mktemp(name)
    objects = synced_objects(name, platforms)
    with running_control_plane(control_plane_binaries, folder, component_logs) as running:
        prepare(running.admin, objects)
        yield Applied(name, running.admin, objects, apply_all(running.admin, objects))


_REVISION = "deployment.kubernetes.io/revision"
"""Annotation in which the controller of Deployments counts their changes."""


def states(client: ApiClient, objects: Sequence[Document]) -> list[Document]:
    """Return the objects as they are, without what controllers write."""
    return [_state(client, each["metadata"], each) for each in objects]


def _state(client: ApiClient, metadata: Document, document: Document) -> Document:
    place = (metadata["name"], metadata.get("namespace"))
    found = client.get(document["apiVersion"], document["kind"], *place)
    found["metadata"].get("annotations", {}).pop(_REVISION, None)
    return {
        part: _without(WRITTEN_BY_CONTROLLERS.get(part, set()), content)
        for part, content in found.items()
        if part != "status"
    }


def _without(keys: set[str], content: Any) -> Any:
    if not keys:
        return content
    return {key: value for key, value in content.items() if key not in keys}


def wait_for_pods(client: ApiClient, objects: Sequence[Document]) -> list[Document]:
    """Return the Deployments once each of them could make a pod."""
    return [
        client.wait_for(each, lambda found: "replicas" in found["status"], PATIENCE_SECONDS)
        for each in objects
        if each["kind"] == "Deployment"
    ]


def test_all_that_is_synced_applies_without_a_rejection(
    applied: Applied, evidence: Evidence
) -> None:
    told = [warning for answer in applied.answers for warning in answer.warnings]
    assert [warning for warning in told if "deprecated" in warning] == []
    kinds = {each["kind"] for each in applied.objects}
    evidence.show(
        f"All that Argo CD syncs of dist/{applied.name} applies server-side, every field known.",
        f"{len(applied.objects)} objects of {len(kinds)} kinds: 0 rejected, 0 unknown fields, "
        "0 deprecations.",
    )


def test_to_apply_it_again_changes_nothing(applied: Applied, evidence: Evidence) -> None:
    wait_for_pods(applied.client, applied.objects)
    before = states(applied.client, applied.objects)
    apply_all(applied.client, applied.objects)
    assert states(applied.client, applied.objects) == before
    evidence.show(
        f"Applied a second time, dist/{applied.name} changes nothing.",
        f"{len(before)} objects, 0 changed.",
    )


def test_the_api_server_warns_of_nothing_but_argo_cds_finalizer(applied: Applied) -> None:
    told = {warning for answer in applied.answers for warning in answer.warnings}
    assert told <= {FINALIZER}


def test_a_version_is_promoted_and_rolled_back_in_place(
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    platforms: dict[str, Platform],
    tmp_path: Path,
    evidence: Evidence,
) -> None:
    live, other = platforms[VERSIONED].live, platforms[VERSIONED].cluster.version
    old, new = (documents_in(DIST / VERSIONED / version) for version in (live, other))
    with running_control_plane(control_plane_binaries, tmp_path, component_logs) as running:
        prepare(running.admin, [*old, *new])
        apply_all(running.admin, old)
        wait_for_pods(running.admin, old)
        before = states(running.admin, old)
        apply_all(running.admin, new)
        promoted = states(running.admin, old)
        apply_all(running.admin, old)
        rolled_back = states(running.admin, old)
    changed = sum(one != another for one, another in zip(before, promoted, strict=True))
    assert changed > 0
    assert rolled_back == before
    evidence.show(
        f"{VERSIONED} goes from {live} to {other} and back in place: no field is immutable.",
        f"{changed} of {len(old)} objects changed and came back to what they were.",
    )
