"""What Kueue counts as part of something else, in CEL.

Of an object and all that controls it, Kueue counts the topmost that it knows, and lets the rest
start with that: `FindAncestorJobManagedByKueue` in https://github.com/kubernetes-sigs/kueue,
pkg/controller/jobframework/reconciler.go at v0.19.2. It looks through kinds that are switched off,
and through ReplicaSets.
"""

from policies.in_cel.literal import texts

POD = "v1/Pod"
KINDS = (
    "apps/Deployment",
    "apps/ReplicaSet",
    "apps/StatefulSet",
    "batch/Job",
    "jobset.x-k8s.io/JobSet",
    "kubeflow.org/JAXJob",
    "kubeflow.org/MPIJob",
    "kubeflow.org/PaddleJob",
    "kubeflow.org/PyTorchJob",
    "kubeflow.org/TFJob",
    "kubeflow.org/XGBoostJob",
    "leaderworkerset.x-k8s.io/LeaderWorkerSet",
    "ray.io/RayCluster",
    "ray.io/RayJob",
    "ray.io/RayService",
    "sparkoperator.k8s.io/SparkApplication",
    "trainer.kubeflow.org/TrainJob",
    POD,
    "workload.codeflare.dev/AppWrapper",
)
"""By the API group, or the version of the core, and the kind."""

KIND = 'owner.apiVersion.split("/")[0] + "/" + owner.kind'
"""That of an `owner`, as `KINDS` has them."""
COUNTED = f"{KIND} in {texts(KINDS)}"
"""Whether Kueue knows an `owner`."""


def _controllers(of: str) -> str:
    return (
        f"{of}.metadata.?ownerReferences.orValue([]).filter(owner,"
        " owner.?controller.orValue(false))"
    )


CONTROLLERS = _controllers("object")
"""The owners that control an object, of which there is one at most."""
CONTROLLERS_BEFORE = f'(request.operation == "CREATE" ? [] : {_controllers("oldObject")})'
"""Those that did before."""
