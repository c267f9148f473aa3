"""The pods of the attacks that must be refused, each with what the API server says by itself."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from charts_py.objects.document import Document
from tests.e2e.attacks import (
    test_amplification,
    test_large_pods,
    test_node_name,
    test_unreadable_objects,
    test_visible_devices,
    test_volumes_and_runtimes,
)
from tests.e2e.attacks.written_objects import (
    CONTENT_TYPE as PROTOBUF,
    GO_LEVELS,
    nested,
    protobuf_pod,
)
from tests.e2e.in_tree.decision import TOO_MUCH
from tests.e2e.scheduling.gpu_pods import plain_pod

ELSEWHERE = "web"
"""A namespace of no team, whose pods may run on any pool."""
JSON, YAML = "application/json", "application/yaml"
_FOREIGN = test_unreadable_objects.FOREIGN_IMAGE
FOREIGN_REFUSED = (
    f"image-registry: The container main runs {_FOREIGN}, which is not from an allowed registry. "
    "Use an image below one of: registry.example.com/, nvcr.io/nvidia/."
)
VOID_WANTED = (
    "visible-devices: The container {} asks for no GPU{}, but would see every GPU of its node if "
    "its image sets NVIDIA_VISIBLE_DEVICES. Set NVIDIA_VISIBLE_DEVICES to void."
)


@dataclass(frozen=True, slots=True)
class WrongPod:
    attempt: str
    namespace: str
    body: bytes
    """As it is sent."""
    reason: str
    """Why it is denied."""
    content_type: str = JSON


def wrong_pods() -> Iterator[WrongPod]:
    """Yield one or more for each way around, in its namespace."""
    yield from _of_nodes()
    yield from _of_managed_fields()
    yield from _of_size()
    yield from _of_claims()
    yield from _of_variables()
    yield from _of_volumes()
    yield from _of_runtimes()
    yield from _of_amounts()


def _wrong(attempt: str, pod: Document, reason: str) -> WrongPod:
    body = json.dumps(pod).encode()
    return WrongPod(attempt, pod["metadata"]["namespace"], body, reason)


def _elsewhere(pod: Document) -> Document:
    """Return a pod in a namespace of no team."""
    return {**pod, "metadata": {**pod["metadata"], "namespace": ELSEWHERE}}


def _of_nodes() -> Iterator[WrongPod]:
    attack = test_node_name
    static = attack.pod("static", annotations=attack.STATIC)
    yield _wrong("the name of a node", attack.pod("sidestep"), attack.REFUSED)
    yield _wrong("an annotation of static pods", static, attack.REFUSED)


def _of_managed_fields() -> Iterator[WrongPod]:
    attack = test_unreadable_objects
    pod = attack.pod(_FOREIGN)
    sent = [(name, fields, JSON) for name, fields in attack.UNREADABLE.items()]
    sent.append(("9,990 levels in YAML", nested(GO_LEVELS - 10), YAML))
    for name, fields, kind in sent:
        body = attack.with_fields(pod, fields)
        yield WrongPod(name, attack.NAMESPACE, body, FOREIGN_REFUSED, content_type=kind)
    levels = nested(GO_LEVELS - 1)
    body = protobuf_pod("unreadable", attack.NAMESPACE, _FOREIGN, levels)
    name = "9,999 levels in protobuf, which no webhook is shown"
    yield WrongPod(name, attack.NAMESPACE, body, FOREIGN_REFUSED, content_type=PROTOBUF)


def _of_size() -> Iterator[WrongPod]:
    large = test_unreadable_objects.pod(_FOREIGN, "<" * test_unreadable_objects.LARGE)
    yield _wrong("1.23 MB of <", large, FOREIGN_REFUSED)
    for name in test_large_pods.HOSTILE:
        yield _wrong(name, test_large_pods.hostile(name), _SAID_OF_LARGE.get(name, TOO_MUCH))
    values = {test_amplification.MODEL: ",".join(["h100"] * 50_000)}
    terms = test_amplification.affinity(700, 1)
    yield _wrong(
        "50,000 values for 700 terms",
        _elsewhere(test_amplification.gpu_pod(values, affinity=terms)),
        "granted-pools: The pod's required node affinity has 700 terms; allowed: 64. Name several "
        "values in one expression of spec.affinity.nodeAffinity.",
    )


_SAID_OF_LARGE = {
    "23,000 containers": "granted-pools: The pod has 23000 containers; allowed: 256. Make several "
    "pods of it."
}


def _of_claims() -> Iterator[WrongPod]:
    attack = test_visible_devices
    intruder = attack.claiming("intruder", ELSEWHERE)
    said = (
        "gpu-node-intrusion: The pod holds claims and asks for no GPU resource, but tolerates the "
        "taints of pool a100-mixed, where claims get no GPU. Ask for a GPU resource, or remove "
        f"that from spec.tolerations. {VOID_WANTED.format('main', ' resource')}"
    )
    onlooker = attack.beside(plain_pod("onlooker", ELSEWHERE), **attack.HOLDS)
    onlooker["spec"] |= attack.CLAIMS
    found = (
        ("a claim for nothing that tolerates everything", intruder, said),
        ("a claim for nothing beside a GPU", onlooker, VOID_WANTED.format("beside", " resource")),
    )
    for attempt, pod, reason in found:
        yield _wrong(attempt, pod, reason)


def _of_variables() -> Iterator[WrongPod]:
    attack = test_visible_devices
    for name in ("NVIDIA_VISIBLE_DEVICES", "AMD_VISIBLE_DEVICES", "HABANA_VISIBLE_DEVICES"):
        takes_all = [{"name": name, "value": "all"}]
        yield _wrong(
            name,
            attack.without_gpu(plain_pod("taker", ELSEWHERE), env=takes_all),
            f"visible-devices: The container main sets {name} by hand, which takes GPUs that the "
            "scheduler did not give it. Remove spec.containers[0].env[0] and ask for a GPU "
            "resource.",
        )
    onlooker = attack.beside(plain_pod("onlooker", ELSEWHERE))
    yield _wrong("a CUDA image beside a GPU", onlooker, VOID_WANTED.format("beside", ""))
    sourced = attack.beside(plain_pod("sourced", ELSEWHERE), envFrom=attack.SOMETHING)
    yield _wrong(
        "variables of a ConfigMap",
        sourced,
        f"{VOID_WANTED.format('beside', '')} ld-preload: The container beside takes variables from "
        "spec.containers[1].envFrom, which could set LD_PRELOAD on a pod with GPUs. Set LD_PRELOAD "
        "to an empty value in spec.containers[1].env; a start script can set it.",
    )
    preloading = plain_pod("preloading", ELSEWHERE)
    (container,) = preloading["spec"]["containers"]
    container["env"] = [{"name": "LD_PRELOAD", "value": "/lib/own.so"}]
    yield _wrong(
        "LD_PRELOAD",
        preloading,
        "ld-preload: The container main sets LD_PRELOAD on a pod with GPUs. Remove "
        "spec.containers[0].env[0]; set it in a start script.",
    )


def _of_volumes() -> Iterator[WrongPod]:
    attack = test_volumes_and_runtimes
    orders = "/dev/nvidia0\x1b[2J\x1b]0;owned\x07\u202e"
    shown = r"/dev/nvidia0\x1b[2J\x1b]0;owned\x07\xe2\x80\xae"
    for path, as_shown in (*((each, each) for each in attack.WAYS), (orders, shown)):
        yield _wrong(
            as_shown,
            attack.mounting(path),
            f"device-host-path: The volume way mounts {as_shown} of the node, which exposes its "
            "GPUs. Remove spec.volumes[0] and ask for a GPU resource.",
        )
    volumes = [{"name": "weights", "image": {"reference": "docker.io/acme/model"}}]
    yield _wrong(
        "an image that is mounted",
        _elsewhere(attack.gpu_pod(volumes=volumes)),
        "image-registry: The volume weights mounts docker.io/acme/model, which is not from an "
        "allowed registry. Use an image below one of: registry.example.com/, nvcr.io/nvidia/.",
    )


def _of_runtimes() -> Iterator[WrongPod]:
    attack = test_volumes_and_runtimes
    for name in attack.CLASSES:
        yield _wrong(
            f"the runtime class {name}",
            attack.pod_without_gpu(runtimeClassName=name),
            f"gpu-runtime-class: The pod asks for no GPU, but names the runtime class {name}, "
            "which can give it all GPUs of its node, and keeps their driver from being replaced. "
            "Remove spec.runtimeClassName, or ask for a GPU resource.",
        )
    yield _wrong(
        "the IPC of the node",
        _elsewhere(attack.gpu_pod(hostIPC=True)),
        "host-ipc: The pod sets spec.hostIPC, which shares memory with the whole node. Remove it: "
        "/dev/shm is sized for the pod.",
    )


def _of_amounts() -> Iterator[WrongPod]:
    years = 10**9
    yield _wrong(
        "a grace period of years",
        _elsewhere(test_volumes_and_runtimes.gpu_pod(terminationGracePeriodSeconds=years)),
        f"grace-period: The pod may keep its GPUs for {years} seconds after it is told to end. Set "
        "spec.terminationGracePeriodSeconds to at most 3600, and write checkpoints while it runs.",
    )
    pod = _elsewhere(test_volumes_and_runtimes.gpu_pod())
    amounts = {"nvidia.com/gpu": str(2**63 - 1), "memory": "1Gi"}
    pod["spec"]["containers"][0]["resources"] = {"limits": amounts, "requests": amounts}
    yield _wrong(
        "more GPUs than an integer holds",
        pod,
        "gpus-per-node: The pod asks for 1000000000000 of nvidia.com/gpu, but the largest node has "
        "8. Ask for at most 8, and spread the work over several pods.",
    )
