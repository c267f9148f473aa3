"""A pod that is too large for the API server's conditions is shown to the webhook."""

import copy
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from policies.cel.pod import (
    CONTAINERS,
    ENVIRONMENT,
    EXPRESSIONS,
    LIMITS,
    NODE_SELECTOR,
    NODE_TERMS,
    REQUESTS,
    TOLERATIONS,
    VOLUMES,
)
from policies.in_cel.match_conditions import MAX_IN_CONTAINER, MAX_IN_POD, MAX_IN_TERM
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.gpu_pods import required, terms_of
from tests.e2e.webhook.platform_webhook import PlatformWebhook
from tests.e2e.webhook.registration import DENIED_BY_WEBHOOK, MAX_TIMEOUT_SECONDS, ServeWebhook

NAMESPACE = "large"
IMAGE = "registry.example.com/large:1.0.0"
ADDED = {TOLERATIONS: 2, VOLUMES: 1}
"""What the API server adds of itself, before it asks webhooks: plugins DefaultTolerationSeconds and
ServiceAccount."""
MOST = {
    field: most - ADDED.get(field, 0)
    for field, most in {**MAX_IN_POD, **MAX_IN_CONTAINER, **MAX_IN_TERM}.items()
}


@pytest.fixture(scope="module", params=["training", "mixed"])
def webhook(
    request: pytest.FixtureRequest,
    admin: ApiClient,
    render_release: RenderRelease,
    serve_webhook: ServeWebhook,
) -> Iterator[PlatformWebhook]:
    """The webhook of an example that judges pods, too, by the conditions that are rendered now."""
    release = render_release(request.param, Admission.WEBHOOK_ONLY)
    with (
        applied(admin, [namespace(NAMESPACE)]),
        serve_webhook(release, MAX_TIMEOUT_SECONDS) as running,
    ):
        yield running


def named(count: int) -> Iterator[str]:
    """Yield names that begin as none that a rule looks for, and are long."""
    return (f"z.example.com/{number:0>60}" for number in range(count))


def amounts(count: int) -> Document:
    return dict.fromkeys(named(count), "1")


def container(name: str, **most: int) -> Document:
    return {
        "name": name,
        "image": IMAGE,
        "env": [{"name": "Z" * 32} for _ in range(most.get("env", 0))],
        "resources": {
            "limits": amounts(most.get("limits", 0)),
            "requests": amounts(most.get("requests", most.get("limits", 0))),
        },
    }


def pod(containers: list[Document], **spec: Any) -> Document:
    return manifest("v1 Pod", "large", NAMESPACE, spec={"containers": containers, **spec})


def affinity(terms: int, expressions: int) -> Document:
    term = {
        "matchExpressions": [{"key": each, "operator": "Exists"} for each in named(expressions)]
    }
    return required([copy.deepcopy(term) for _ in range(terms)])


def largest() -> Document:
    """Return a pod as large as one can be that is read to its end, and that concerns no rule."""
    each = {"env": MOST[ENVIRONMENT], "limits": MOST[LIMITS], "requests": MOST[REQUESTS]}
    return pod(
        [container(f"c-{number}", **each) for number in range(MOST[CONTAINERS])],
        volumes=[{"name": f"v-{number}", "emptyDir": {}} for number in range(MOST[VOLUMES])],
        tolerations=[{"key": key, "operator": "Exists"} for key in named(MOST[TOLERATIONS])],
        nodeSelector=dict.fromkeys(named(MOST[NODE_SELECTOR]), "z"),
        affinity=affinity(MOST[NODE_TERMS], MOST[EXPRESSIONS]),
    )


def last_expression(pod: Document) -> None:
    exists = {"key": "gpuplane.io/pool", "operator": "Exists"}
    terms_of(pod)[-1]["matchExpressions"][-1] = exists


def last_resource(pod: Document) -> None:
    for amounts in pod["spec"]["containers"][-1]["resources"].values():
        amounts.popitem()
        amounts["nvidia.com/gpu"] = "1"


def last_variable(pod: Document) -> None:
    pod["spec"]["containers"][-1]["env"][-1]["name"] = "NVIDIA_VISIBLE_DEVICES"


def last_volume(pod: Document) -> None:
    pod["spec"]["volumes"][-1] = {"name": "z", "hostPath": {"path": "/dev/nvidia0"}}


def last_toleration(pod: Document) -> None:
    pod["spec"]["tolerations"][-1] = {"key": "nvidia.com/gpu", "operator": "Exists"}


def last_label(pod: Document) -> None:
    pod["spec"]["nodeSelector"].popitem()
    pod["spec"]["nodeSelector"]["gpuplane.io/pool"] = "z"


NEEDLES: tuple[Callable[[Document], None], ...] = (
    last_expression,
    last_resource,
    last_variable,
    last_volume,
    last_toleration,
    last_label,
)
"""What concerns a rule in the largest pod, each where it is read last of its kind."""


PATHS = ("/mutate", "/validate")


def reviews(client: ApiClient, webhook: PlatformWebhook, pod: Document) -> list[int]:
    """Return how often the webhook is asked to fix a pod and to judge it, whatever comes of it."""
    before = [webhook.reviews(path) for path in PATHS]
    with suppress(ApiError):
        client.create(pod, dryRun="All")
    return [webhook.reviews(path) - early for path, early in zip(PATHS, before, strict=True)]


def test_the_largest_pod_that_is_read_is_read_to_its_end(
    admin: ApiClient, webhook: PlatformWebhook, evidence: Evidence
) -> None:
    assert reviews(admin, webhook, largest()) == [0, 0]
    for needle in NEEDLES:
        changed = largest()
        needle(changed)
        asking = int(needle is last_resource)
        assert reviews(admin, webhook, changed) == [asking, 1], needle
    evidence.show(
        "The largest pod that the match conditions read costs less than the API server allows.",
        f"{len(NEEDLES)} pods of {MOST[CONTAINERS]} containers with {MOST[ENVIRONMENT]} variables "
        f"and {MOST[LIMITS]} resources each, and {MOST[NODE_TERMS]} node terms of "
        f"{MOST[EXPRESSIONS]} expressions: each judged for what stands last in it, and not without;"
        " shown to be fixed is the one that asks for a GPU there",
    )


def many(count: int, **variables: list[Document]) -> list[Document]:
    return [container(f"c-{number}") | variables for number in range(count)]


HOSTILE: dict[str, Document] = {
    "600 resources in each of 30 containers": pod(
        [container(f"c-{number}", limits=600) for number in range(30)]
    ),
    "7,500 variables in each of 20 containers": pod(many(20, env=[{"name": "z"}] * 7_500)),
    "23,000 containers": pod(many(23_000)),
}
"""Pods that cost more to read than one expression may, so that what stands last is not reached."""


def hostile(name: str) -> Document:
    """Return one of them that selects a GPU node by what is read last, though it asks for none."""
    changed = copy.deepcopy(HOSTILE[name])
    changed["spec"].setdefault("affinity", required([{"matchExpressions": [{}]}]))
    last_expression(changed)
    return changed


def test_no_pod_is_too_large_to_be_shown(
    admin: ApiClient, webhook: PlatformWebhook, evidence: Evidence
) -> None:
    shown = {name: reviews(admin, webhook, hostile(name)) for name in HOSTILE}
    assert {name: judged for name, (_, judged) in shown.items()} == dict.fromkeys(HOSTILE, 1)
    with pytest.raises(ApiError) as refused:
        admin.create(hostile("600 resources in each of 30 containers"))
    assert refused.value.message.startswith(
        f"{DENIED_BY_WEBHOOK}The object is larger than 3145728 bytes"
    )
    evidence.show(
        "No pod is too large for the match conditions to show it to the webhook.",
        f"{len(shown)} of {len(HOSTILE)} shown: {', '.join(HOSTILE)}",
    )
