"""The API server refuses what the plan calls immutable, and takes what is safe or deferred."""

from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest
import yaml

from gpuplane.plan.effect import Verdict
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.plan.changes import NAMESPACE, PlannedChange
from tests.e2e.releases.objects import applied, namespace

TABLE = yaml.safe_load((Path(__file__).parent / "fields.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def _place(admin: ApiClient) -> Iterator[None]:
    with applied(admin, [namespace(NAMESPACE)]):
        yield


def _each(part: str) -> pytest.MarkDecorator:
    """Run a test for each row of a part of the table."""
    changes = [(name, PlannedChange(**row)) for name, row in TABLE[part].items()]
    return pytest.mark.parametrize(("name", "change"), changes, ids=TABLE[part])


@_each("refused")
def test_a_change_that_the_plan_calls_immutable_is_refused(
    name: str, change: PlannedChange, admin: ApiClient, evidence: Evidence
) -> None:
    assert change.planned.verdict is Verdict.IMMUTABLE
    with applied(admin, [change.before]), pytest.raises(ApiError) as refused:
        admin.apply(change.after, force="true")
    assert refused.value.answer.status == HTTPStatus.UNPROCESSABLE_ENTITY
    if change.namespaced:
        admin.delete(change.before)
    evidence.show(
        f"What the plan calls immutable, the API server refuses: {name}.",
        str(refused.value.answer.status),
    )


@_each("taken")
def test_a_change_that_the_plan_calls_safe_is_taken(
    name: str, change: PlannedChange, admin: ApiClient, evidence: Evidence
) -> None:
    verdict = change.planned.verdict
    assert verdict <= Verdict.DEFERRED
    with applied(admin, [change.before]):
        assert admin.apply(change.after, force="true").status == HTTPStatus.OK
    if change.namespaced:
        admin.delete(change.before)
    evidence.show(f"What the plan calls {verdict.word}, the API server takes: {name}.", "200")
