"""A RayJob names the cluster that it runs on, and what it runs.

KubeRay 1.7 gives one without a cluster the status ValidationFailed
(https://github.com/ray-project/kuberay/blob/v1.7.0/ray-operator/controllers/ray/utils/validation.go).
What is to be run goes to `ray job submit`, which fails without it, once the GPUs are there
(https://github.com/ray-project/kuberay/blob/v1.7.0/ray-operator/controllers/ray/common/job.go and
https://github.com/ray-project/ray/blob/master/python/ray/dashboard/modules/job/cli.py).
"""

from collections.abc import Iterator, Mapping

from charts_py.objects.document import Document
from gpuplane.lint.refusals.whole_pod import is_whole_pod
from gpuplane.lint.template_rule import TemplateFinding
from policies.document import Json, members, text

_DEFAULT_MODE = "K8sJobMode"
_SUBMITTING_MODES = frozenset({_DEFAULT_MODE, "SidecarMode"})


def incomplete_ray_job(document: Document) -> Iterator[TemplateFinding]:
    """Find a RayJob without a cluster, or without anything to run on it.

    One that lacks both is a patch of another.
    """
    spec = members(document.get("spec"))
    cluster = members(spec.get("rayClusterSpec"))
    is_selected = bool(members(spec.get("clusterSelector")))
    if text(spec.get("entrypoint")).strip():
        if not cluster and not is_selected:
            yield TemplateFinding(
                "/spec/rayClusterSpec",
                "The RayJob has neither a rayClusterSpec nor a clusterSelector, so KubeRay does "
                "not run it.",
                "Describe its cluster in rayClusterSpec.",
            )
    elif is_selected or is_whole_pod(members(cluster.get("headGroupSpec")).get("template")):
        yield from _without_entrypoint(spec)


def _without_entrypoint(spec: Mapping[str, Json]) -> Iterator[TemplateFinding]:
    mode = text(spec.get("submissionMode")) or _DEFAULT_MODE
    if mode in _SUBMITTING_MODES and spec.get("submitterPodTemplate") is None:
        yield TemplateFinding(
            "/spec/entrypoint",
            "The RayJob has no entrypoint, so `ray job submit` fails once its cluster is there.",
            "Set it to the command that the job runs, such as python train.py.",
        )
