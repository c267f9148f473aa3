import pytest

from policies.admission import NOBODY, Effect, User
from policies.document import Document
from policies.rules.node_name import RULE
from policies.settings import NodeNameSettings
from tests.policies.conftest import admit, found, gpu_pod

NO_GPU: Document = {"resources": {}}
BINDER = "system:serviceaccount:kai-scheduler:binder"
PROVISIONER = User("system:serviceaccount:local-path-storage:provisioner")


@pytest.mark.parametrize(
    "user",
    [
        NOBODY,
        User("ada@example.com", ("ml-research", "system:authenticated")),
        User("admin", ("system:masters",)),
        User("system:serviceaccount:kube-system:replicaset-controller"),
        User("system:serviceaccount:plain:default"),
        User("system:serviceaccount:plain-other:default"),
    ],
)
@pytest.mark.parametrize("container", [NO_GPU, {}])
def test_a_new_pod_that_names_its_node_is_refused_whoever_creates_it(
    container: Document, user: User
) -> None:
    (finding,) = found(RULE, gpu_pod(container, nodeName="gpu-0"), creator=user)
    assert (finding.path, finding.culprit) == ("/spec/nodeName", "the pod")
    assert str(finding) == (
        "node-name: The pod names its node gpu-0 itself, past the scheduler and the node's taints. "
        "Remove spec.nodeName; choose nodes by spec.nodeSelector or node affinity."
    )


@pytest.mark.parametrize("spec", [{}, {"nodeName": ""}, {"nodeName": None}, {"nodeName": 1}])
def test_a_pod_that_leaves_it_to_the_scheduler_passes(spec: Document) -> None:
    assert found(RULE, gpu_pod(**spec), creator=NOBODY) == []


@pytest.mark.parametrize("user", [User(BINDER), User("ada@example.com", ("a", "platform-admins"))])
def test_who_may_by_the_cluster_file_may(user: User) -> None:
    settings = NodeNameSettings(users=(BINDER,), groups=("platform-admins",))
    assert found(RULE, gpu_pod(nodeName="gpu-0"), creator=user, node_names=settings) == []


def test_a_service_account_may_in_its_own_namespace_unless_that_is_a_teams() -> None:
    pod = gpu_pod(NO_GPU, nodeName="gpu-0")
    namespaces = ("local-path-storage", "local-path", "default", "plain")
    counts = [len(found(RULE, pod, each, creator=PROVISIONER)) for each in namespaces]
    assert counts == [0, 1, 1, 1]


def test_an_update_of_a_pod_that_has_its_node_passes() -> None:
    pod = gpu_pod(nodeName="gpu-0")
    denials = [admit(pod, review={"operation": each}).denials for each in ("CREATE", "UPDATE")]
    assert [[finding.rule for finding in each] for each in denials] == [[RULE.name], []]


def test_a_pod_is_refused_whether_or_not_it_can_still_be_fixed() -> None:
    pod = gpu_pod(NO_GPU, nodeName="gpu-0")
    effects = [
        [outcome.effect for outcome in admit(pod, review={"fixes": fixes}).outcomes]
        for fixes in (True, False)
    ]
    assert effects == [[Effect.DENIED]] * 2
