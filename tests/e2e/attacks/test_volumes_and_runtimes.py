"""Volumes, runtime classes and annotations are no way to a GPU, to an image or to a terminal."""

from collections.abc import Iterator
from typing import Any

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest, runtime_class
from tests.e2e.releases.objects import applied, namespace, read_release
from tests.e2e.scheduling.gpu_pods import plain_spec, required, terms_of
from tests.e2e.webhook.registration import ServeWebhook, denial, reason_of

TEAM = "research-training"
IMAGE = "registry.example.com/web:1.0"
CLASSES = ("nvidia", "nvidia-cdi", "nvidia-legacy")
MODEL = "gpuplane.io/gpu-model"


@pytest.fixture(scope="module", autouse=True)
def _team_and_webhook(
    admin: ApiClient, render_release: RenderRelease, serve_webhook: ServeWebhook
) -> Iterator[None]:
    """A cluster in whose namespace nothing but the rules refuses a pod."""
    release = render_release("training", Admission.BACKSTOP)
    classes = [*read_release(release, "priority-classes"), *map(runtime_class, CLASSES)]
    with applied(admin, [*classes, namespace(TEAM)]), serve_webhook(release):
        yield


def pod_without_gpu(**spec: Any) -> Document:
    containers = [{"name": "main", "image": IMAGE}]
    return manifest("v1 Pod", "sidestep", TEAM, spec={"containers": containers, **spec})


def gpu_pod(annotations: dict[str, str] | None = None, **spec: Any) -> Document:
    """Return a pod with one GPU, and what it says besides."""
    metadata = {"annotations": annotations or {}}
    return manifest("v1 Pod", "sidestep", TEAM, metadata, spec=plain_spec() | spec)


def mounting(path: str) -> Document:
    """Return a pod without GPU that mounts a path of its node."""
    return pod_without_gpu(volumes=[{"name": "way", "hostPath": {"path": path}}])


def test_an_image_that_is_mounted_is_judged_as_one_that_is_run(
    admin: ApiClient, evidence: Evidence
) -> None:
    volumes = [{"name": "weights", "image": {"reference": "docker.io/acme/model"}}]
    with pytest.raises(ApiError) as refused:
        admin.create(gpu_pod(volumes=volumes), dryRun="All")
    assert reason_of(refused.value) == (
        "image-registry: The volume weights mounts docker.io/acme/model, which is not from an "
        "allowed registry. Use an image below one of: registry.example.com/, nvcr.io/nvidia/."
    )
    (warning,) = refused.value.answer.warnings
    assert "image-tag: The volume weights mounts docker.io/acme/model with no " in warning
    volumes[0]["image"] = {"reference": "registry.example.com/model:1.0"}
    assert denial(admin, gpu_pod(volumes=volumes)) is None
    evidence.show(
        "An image that a GPU pod mounts as a volume is judged as one that it runs.",
        "one of another registry without a tag refused by image-registry, with image-tag's "
        "warning; one of an allowed registry with a tag admitted",
    )


WAYS = (
    "/proc/1/root/dev",
    "/proc/self/root/dev/nvidia0",
    "/proc",
    "/run/nvidia/driver",
    "/var/run/nvidia/driver/dev",
    "/run",
    "/dev/char/195:0",
    "/dev/vfio",
    "/dev/hl0",
)
HONEST = ("/dev/shm", "/dev/infiniband", "/data", "/proc/sys", "/sys")  # noqa: S108 # of a node


def test_no_path_leads_to_the_gpus_of_a_node(admin: ApiClient, evidence: Evidence) -> None:
    for path in WAYS:
        assert denial(admin, mounting(path)) == (
            f"device-host-path: The volume way mounts {path} of the node, which exposes its GPUs. "
            "Remove spec.volumes[0] and ask for a GPU resource."
        )
    assert [denial(admin, mounting(path)) for path in HONEST] == [None] * len(HONEST)
    evidence.show(
        "A pod without a GPU mounts no path of its node that leads to the GPUs.",
        f"{len(WAYS)} refused, as {', '.join(WAYS[:4])}; {len(HONEST)} others admitted",
    )


def test_a_runtime_class_of_gpus_is_for_pods_that_ask_for_some(
    admin: ApiClient, evidence: Evidence
) -> None:
    for name in CLASSES:
        assert denial(admin, pod_without_gpu(runtimeClassName=name)) == (
            f"gpu-runtime-class: The pod asks for no GPU, but names the runtime class {name}, "
            "which can give it all GPUs of its node, and keeps their driver from being replaced. "
            "Remove spec.runtimeClassName, or ask for a GPU resource."
        )
        assert denial(admin, gpu_pod(runtimeClassName=name)) is None
    evidence.show(
        "A pod without a GPU names no runtime class of GPUs.",
        f"{', '.join(CLASSES)} refused; admitted where the pod asks for a GPU",
    )


def test_a_denial_gives_no_orders_to_a_terminal(admin: ApiClient, evidence: Evidence) -> None:
    orders = "\x1b[2J\x1b]0;owned\x07\u202e"
    pod = mounting(f"/dev/nvidia0{orders}")
    said = denial(admin, pod)
    assert said == (
        r"device-host-path: The volume way mounts /dev/nvidia0\x1b[2J\x1b]0;owned\x07\xe2\x80\xae "
        "of the node, which exposes its GPUs. Remove spec.volumes[0] and ask for a GPU resource."
    )
    evidence.show(
        "A denial gives no orders to the terminal on which it is read.",
        r"a path with \x1b[2J and \xe2\x80\xae is shown so",
    )


def _affinity(*expressions: Document) -> Document:
    return required([{"matchExpressions": list(expressions)}])


def test_an_annotation_is_heard_or_refused(admin: ApiClient, evidence: Evidence) -> None:
    assert denial(admin, gpu_pod({MODEL: "h100, not a label!"})) == (
        f"node-affinity: The pod is annotated with {MODEL} not a label!, which no node label can "
        "be. Use at most 63 letters, digits and .-_ that begin and end with a letter or digit; "
        "separate several values by commas."
    )
    selecting = gpu_pod({MODEL: "h100"}, nodeSelector={MODEL: "a100"})
    contradiction = f"The pod is annotated with {MODEL} h100, but its node selector requires a100."
    assert contradiction in (denial(admin, selecting) or "")
    own = {"key": MODEL, "operator": "NotIn", "values": ["a10g"]}
    annotated = gpu_pod({MODEL: "h100"}, affinity=_affinity(own))
    admitted = admin.create(annotated, dryRun="All").document
    (term,) = terms_of(admitted)
    held = {"key": MODEL, "operator": "In", "values": ["h100"]}
    assert [each for each in term["matchExpressions"] if each["key"] == MODEL] == [own, held]
    evidence.show(
        "What an annotation asks of the nodes is held, beside terms of the pod's own, or refused.",
        "a value that is no label and one against the node selector refused; a wider term narrowed",
    )
