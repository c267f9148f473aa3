"""What a change does to what runs, is what the plan says."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.effect import Verdict
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.manifest import manifest
from tests.e2e.plan.changes import NAMESPACE, PlannedChange, plan_of
from tests.e2e.releases.crds import definition, install
from tests.e2e.releases.objects import applied, namespace

QUOTA = PlannedChange(
    "v1 ResourceQuota", {"spec.hard": {"pods": "2"}}, {"spec.hard": {"pods": "1"}}, namespaced=True
)
PRIORITY = manifest("scheduling.k8s.io/v1 PriorityClass", "planned", value=7)
BOX = manifest("planned.example.com/v1 Box", "planned")
DEFINITION = definition("planned.example.com/v1 Box", "boxes", {"type": "object"}, "Cluster")


def _pod(name: str, **spec: object) -> Document:
    containers = [{"name": "main", "image": "example.com/main:1"}]
    return manifest("v1 Pod", name, NAMESPACE, spec={"containers": containers, **spec})


@pytest.fixture(autouse=True)
def _place(admin: ApiClient) -> Iterator[None]:
    with applied(admin, [namespace(NAMESPACE)]):
        yield


def _names(admin: ApiClient) -> list[str]:
    return sorted(each["metadata"]["name"] for each in admin.find("v1", "Pod", NAMESPACE))


def test_pods_stay_above_a_quota_that_is_lowered_and_new_ones_are_refused(admin: ApiClient) -> None:
    assert QUOTA.planned.verdict is Verdict.DEFERRED
    with applied(admin, [QUOTA.before]):
        for name in ("first", "second"):
            admin.create(_pod(name))
        admin.apply(QUOTA.after)
        admin.wait_for(QUOTA.after, lambda quota: quota["status"]["hard"] == {"pods": "1"})
        with pytest.raises(ApiError, match="exceeded quota"):
            admin.create(_pod("third"))
        assert _names(admin) == ["first", "second"]


def test_pods_keep_the_priority_of_a_class_that_goes_and_new_ones_are_refused(
    admin: ApiClient,
) -> None:
    assert plan_of(PRIORITY, None).verdict is Verdict.DEFERRED
    admin.create(PRIORITY)
    pod = _pod("first", priorityClassName="planned")
    admin.create(pod)
    admin.delete(PRIORITY)
    admin.wait_until_gone(PRIORITY)
    assert admin.get("v1", "Pod", "first", NAMESPACE)["spec"]["priority"] == PRIORITY["value"]
    with pytest.raises(ApiError, match="no PriorityClass with name planned was found"):
        admin.create(_pod("second", priorityClassName="planned"))


def test_pods_stay_under_a_stricter_pod_security_level_and_new_ones_are_refused(
    admin: ApiClient,
) -> None:
    label = {"pod-security.kubernetes.io/enforce": "restricted"}
    before = namespace(NAMESPACE)
    after = {**before, "metadata": {"name": NAMESPACE, "labels": label}}
    assert plan_of(before, after).verdict is Verdict.DEFERRED
    admin.create(_pod("first"))
    admin.apply(after)
    with pytest.raises(ApiError, match='violates PodSecurity "restricted'):
        admin.create(_pod("second"))
    assert _names(admin) == ["first"]


def test_all_objects_of_a_kind_go_with_its_definition(admin: ApiClient) -> None:
    assert plan_of(DEFINITION, None).verdict is Verdict.DANGEROUS
    install(admin, [DEFINITION])
    admin.create(BOX)
    admin.delete(DEFINITION)
    admin.wait_until_gone(DEFINITION)
    install(admin, [DEFINITION])
    with pytest.raises(ApiError) as missing:
        admin.get("planned.example.com/v1", "Box", "planned")
    assert missing.value.answer.status == HTTPStatus.NOT_FOUND
    admin.delete(DEFINITION)


def test_everything_in_a_namespace_goes_with_it(admin: ApiClient) -> None:
    other = namespace("planned-too")
    assert plan_of(other, None).verdict is Verdict.DANGEROUS
    resources = {"requests": {"storage": "1Gi"}}
    spec = {"accessModes": ["ReadWriteOnce"], "storageClassName": "none", "resources": resources}
    claim = manifest("v1 PersistentVolumeClaim", "data", "planned-too", spec=spec)
    admin.create(other)
    admin.create(claim)
    admin.delete(other)
    admin.wait_until_gone(other, 120)
    with pytest.raises(ApiError) as missing:
        admin.get("v1", "PersistentVolumeClaim", "data", "planned-too")
    assert missing.value.answer.status == HTTPStatus.NOT_FOUND
