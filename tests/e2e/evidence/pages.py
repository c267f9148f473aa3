"""The pages of evidence: of `make e2e`, and of `make e2e-more`."""

from datetime import UTC, datetime

from tests.binaries.alertmanager import ALERTMANAGER_VERSION
from tests.binaries.argo_cd import ARGO_CD_VERSION
from tests.binaries.control_plane import NEWEST, OLDEST
from tests.binaries.http_add_on import HTTP_ADD_ON_VERSION
from tests.binaries.node_provisioning import KARPENTER_VERSION, KWOK_VERSION
from tests.binaries.pinned_module import MODULE
from tests.binaries.serving import KEDA_VERSION, ROLLOUTS_VERSION
from tests.binaries.training import TRAINING_OPERATOR_VERSION
from tests.e2e.evidence.page import EvidencePage
from tests.e2e.folders import DOCS
from tests.e2e.selection import is_more, runs_on_oldest_too

_HEAD = """\
# Evidence

What `make e2e` saw on real components: API server, controller manager and scheduler of Kubernetes
{kubernetes}, etcd {etcd}, Argo CD {argo_cd}, Alertmanager {alertmanager}, Debian's Prometheus, and
the webhook as `gpuplane serve` serves it. A run in which every test ran and none failed has written
it: a claim stands here because the assertions of its test held. Another run writes the same unless
a fact has changed.

What is assumed, besides what a row says:

- There is no kubelet: pods are admitted, scheduled, preempted and deleted, and their containers do
  not run. Where a controller waits for a pod, the test reports its state in the kubelet's place.
- Nodes have the labels, taints and resources of the pools of a cluster file, and all of their CPU
  and memory is allocatable.
- All runs on one machine, on loopback, and etcd does not wait for the disk. No row depends on how
  fast that machine is: `make bench-apiserver` and `make bench-webhook` measure time.
- Objects are those that `dist/` holds, custom resource definitions those that are pinned.
- Exporters of metrics are small servers with the names and labels of the real ones. How long an
  alert waits before it fires, promtool plays; the Prometheus that scrapes waits a second each time.
"""

_HEAD_MORE = """\
# Evidence on Karpenter, and on what takes long

What `make e2e-more` saw, which takes more minutes than a pull request has: on {date}, with
Karpenter {karpenter}, KWOK {kwok}, etcd {etcd}, and the control plane of Kubernetes {kubernetes}.
That run, in which every test ran and none failed, has written it. Argo CD is {argo_cd} there, the
training operator {training_operator}, Argo Rollouts {rollouts}, KEDA {keda} and its HTTP add-on
{http_add_on}. [The other page](evidence.md) has what `make e2e` sees, and what both assume.
Besides, here:

- What `make e2e` sees of admission and scheduling is seen on the oldest supported Kubernetes, too:
  {oldest}. Extended resources by DRA are of a later one.
- Karpenter runs with its own cloud, `sigs.k8s.io/karpenter/kwok`, whose instance types are those of
  `gpus/tables/`. Of what `dist/` holds, only the node class is another: each EC2NodeClass becomes a
  KWOKNodeClass of the same name. What EC2 itself decides is not seen: AMIs, networks, prices, and
  how much a capacity reservation holds (`reserved` is a capacity type as any other, and Karpenter's
  gate `ReservedCapacity` is off, which that cloud does not know).
- Karpenter has the feature gates and the `PREFERENCE_POLICY` that the platform asks for
  (`charts_py/providers/eks/karpenter.py`).
- KWOK stands for the kubelets: it reports nodes as ready and pods as running, and ends pods that
  are deleted. A node that Karpenter has registered advertises what the device plugin of its pool
  does, and loses its start-up taint after that.
- Where Argo Rollouts replaces models, and KEDA scales them, a test reports in the kubelet's place
  that replicas are ready, and a small server tells Prometheus what vLLM does of their requests. New
  replicas are judged after 15 seconds and every second, which the printed AnalysisTemplate does
  after 5 minutes and every minute. Both have the rights that the platform gives them. The API
  server asks KEDA's adapter for metrics, whose certificate it does not verify there. A model that
  sleeps is asked through the interceptor itself, without the Gateway before it, and a small server
  answers in the place of its Service.
"""


def _head() -> str:
    return _HEAD.format(
        kubernetes=NEWEST.version,
        argo_cd=ARGO_CD_VERSION,
        alertmanager=ALERTMANAGER_VERSION,
        etcd=_etcd(),
    )


def _head_more() -> str:
    return _HEAD_MORE.format(
        date=datetime.now(UTC).date().isoformat(),
        karpenter=KARPENTER_VERSION,
        kwok=KWOK_VERSION,
        training_operator=TRAINING_OPERATOR_VERSION,
        rollouts=ROLLOUTS_VERSION,
        keda=KEDA_VERSION,
        http_add_on=HTTP_ADD_ON_VERSION,
        argo_cd=ARGO_CD_VERSION,
        etcd=_etcd(),
        kubernetes=NEWEST.version,
        oldest=OLDEST.version,
    )


def _etcd() -> str:
    return MODULE.version("go.etcd.io/etcd/server/v3")


EVIDENCE = EvidencePage(
    DOCS / "evidence.md",
    {
        "releases": "The whole of dist/ applies",
        "first_day": "A new repository, from the wheel alone",
        "argo_cd": "Argo CD syncs it",
        "webhook": "The webhook in the path of pods",
        "claims": "Sharing, placement, preemption, quotas and access",
        "scheduling": "Nodes that are kept warm",
        "attacks": "Ways around the webhook",
        "serving": "Models and services, and routes to them",
        "monitoring": "What Prometheus sees, and whom it tells",
        "in_tree": "The API server's own policies",
        "plan": "What the plan says of a change",
        "benchmarks": "Load through the API server",
    },
    is_of_more=False,
    head=_head,
    holds=lambda test: not is_more(test.file),
)

EVIDENCE_MORE = EvidencePage(
    DOCS / "evidence-more.md",
    {
        "more/karpenter": "Karpenter makes the nodes of the pools",
        "more/training": "Trainer and JobSet make the pods of training jobs",
        "more/serving": "Argo Rollouts replaces models, and KEDA scales them",
        "more/notebooks": "A hub starts notebooks",
        "jobs": "Jobs of the training operator",
        "argo_cd": "Argo CD syncs it: removals, and charts that are rendered",
        "more/oldest_kubernetes": "On the oldest Kubernetes: a cluster that is written for it",
        "webhook": "On the oldest Kubernetes: the webhook in the path of pods",
        "claims": "On the oldest Kubernetes: sharing, placement, preemption, quotas and access",
    },
    is_of_more=True,
    head=_head_more,
    # Some in these files need no control plane, and run once.
    holds=lambda test: is_more(test.file) or (runs_on_oldest_too(test.file) and test.shows),
)

PAGES = (EVIDENCE, EVIDENCE_MORE)
