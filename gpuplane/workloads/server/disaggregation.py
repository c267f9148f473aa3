"""Prefill and decode on GPUs of their own: what each of both is told, and how requests reach them.

A request reaches the sidecar of a decode pod. It has the prefill pod that the picker named compute
the prompt first, and the engine beside it then reads that KV cache by NIXL, from GPU to GPU
(https://github.com/llm-d/llm-d, guides/pd-disaggregation/modelserver/gpu/vllm/base at 5554114;
https://github.com/llm-d/llm-d-router/blob/v0.10.0/docs/disaggregation.md).
"""

import json
from collections.abc import Iterator, Mapping

from charts_py.platform.gateway import SIDECAR_IMAGE
from gpuplane.workloads.network import network
from gpuplane.workloads.pod_template import CONTAINER_SECURITY
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import SIDECAR, Request
from gpuplane.workloads.serving.served import Role
from gpus.model import NVIDIA
from policies.settings import EFA_RESOURCE

ENGINE_PORT = "metrics"
"""The name by which network policies of teams let Prometheus reach any port: behind the sidecar the
engine has another one than other servers."""
_DECODE_PORT = 8200
_ROLE = "llm-d.ai/role"
_KV_ROLES = {Role.PREFILL: "kv_producer", Role.DECODE: "kv_consumer"}
_KEEP_ALIVE = 120
"""Seconds; the sidecar keeps idle connections for 90 (`http.DefaultTransport` of Go)."""


def role_label(request: Request) -> dict[str, str]:
    """Return the label by which a picker tells prefill from decode."""
    role = request.served.role
    return {_ROLE: role.value} if role else {}


def engine_ports(request: Request) -> Mapping[str, int]:
    """Return where the engine answers; behind a sidecar that is none of its own ports."""
    served = request.served
    ports = served.engine.ports if served.engine else {}
    if served.role is None:
        return ports
    return {ENGINE_PORT: _DECODE_PORT if served.role is Role.DECODE else ports["http"]}


def kv_transfer(request: Request) -> tuple[str, str]:
    """Return the configuration by which engines hand KV caches over, and why it is so.

    https://docs.vllm.ai/en/stable/features/nixl_connector_usage/
    """
    role = request.served.role or Role.PREFILL
    config: dict[str, object] = {"kv_connector": "NixlConnector", "kv_role": _KV_ROLES[role]}
    why = "what it computes of a prompt, decode reads"
    if role is Role.DECODE:
        config["kv_load_failure_policy"] = "recompute"
        why = "it reads what prefill computed, and computes it itself where that pod is gone"
    if EFA_RESOURCE in network(request).resources:
        config["kv_connector_extra_config"] = {"backends": ["LIBFABRIC"]}
        why = f"{why}; UCX, the default, does not use EFA"
    return json.dumps(config, separators=(",", ":")), why


def role_variables(request: Request) -> Iterator[Tree]:
    if request.served.role is None:
        return
    own = {"fieldRef": {"fieldPath": "status.podIP"}}
    yield Because(
        {"name": "VLLM_NIXL_SIDE_CHANNEL_HOST", "valueFrom": own},
        "where another pod asks for its KV cache, which is localhost otherwise",
    )
    yield Because(
        {"name": "VLLM_HTTP_TIMEOUT_KEEP_ALIVE", "value": str(_KEEP_ALIVE)},
        "sidecars keep idle connections for 90 seconds, and vLLM closes them after 5 otherwise",
    )


def sidecar(request: Request) -> list[Tree]:
    """Return the container beside a decode engine that asks prefill first.

    It stops after the engine has (https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/).
    """
    engine = request.served.engine
    if request.served.role is not Role.DECODE or engine is None:
        return []
    port, compute = engine.ports["http"], SIDECAR.amounts()
    container = {
        "name": "routing-proxy",
        "image": request.platform.mirrors.of(SIDECAR_IMAGE),
        "args": [
            f"--port={port}",
            f"--model-server-port={_DECODE_PORT}",
            "--kv-connector=nixlv2",
            Because("--secure-proxy=false", "the Gateway speaks HTTP with pods"),
        ],
        "restartPolicy": Because("Always", "it goes on beside the engine"),
        **_without_gpus(request),
        "ports": [{"name": "http", "containerPort": port}],
        "readinessProbe": {
            "httpGet": {"path": engine.ready, "port": "http"},
            "periodSeconds": 10,
            "timeoutSeconds": 10,
        },
        "resources": {"requests": compute, "limits": compute},
        "securityContext": CONTAINER_SECURITY,
    }
    return [Because(container, "requests come here; it has a prefill pod compute the prompt")]


def _without_gpus(request: Request) -> dict[str, Tree]:
    if request.pool.vendor != NVIDIA:
        return {}
    variable = {"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}
    return {"env": [Because(variable, "the GPUs of the pod are the engine's")]}
