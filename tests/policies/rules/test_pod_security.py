from msgspec.structs import replace

from policies.admission import UPDATE
from policies.document import Document
from policies.operation import apply
from policies.rules.pod_security import RULE
from policies.settings import EnforcedSecurity, PodSecurity
from tests.policies.conftest import SETTINGS, admit, found, gpu_pod, message

RESTRICTED = EnforcedSecurity(PodSecurity.RESTRICTED, 36)
BASELINE = EnforcedSecurity(PodSecurity.BASELINE, 36)
NAMESPACES = {
    "plain": replace(SETTINGS.namespaces["plain"], pod_security=RESTRICTED),
    "serving": replace(SETTINGS.namespaces["serving"], pod_security=BASELINE),
    "spot": SETTINGS.namespaces["spot"],
}
DEMANDED = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
PROFILE = {"type": "RuntimeDefault"}


def _fixed(pod: Document, user: int | None = 1000) -> tuple[object, object]:
    """Return what a pod and its first container say of security once it is fixed."""
    for finding in found(RULE, pod, namespaces=NAMESPACES, pod_security_user=user):
        apply(pod, finding.fix)
    spec = pod["spec"]
    return spec.get("securityContext"), spec["containers"][0].get("securityContext")


def test_a_pod_gets_what_it_does_not_state_and_a_user() -> None:
    assert message(found(RULE, gpu_pod(), namespaces=NAMESPACES, pod_security_user=1000)) == (
        "/spec/containers/0/securityContext/allowPrivilegeEscalation The pod lacks what its "
        "namespace requires, which enforces restricted: allowPrivilegeEscalation != false, "
        "unrestricted capabilities, seccompProfile, runAsNonRoot != true. Set each field that "
        "gpuplane lint names."
    )
    assert _fixed(gpu_pod()) == (
        {"runAsNonRoot": True, "seccompProfile": PROFILE},
        {**DEMANDED, "runAsUser": 1000},
    )


def test_what_it_states_stays() -> None:
    stated = {"allowPrivilegeEscalation": True, "capabilities": {"drop": ["NET_RAW"]}}
    pod = gpu_pod({"securityContext": stated}, securityContext={"runAsUser": 5})
    assert _fixed(pod) == (
        {"runAsUser": 5, "runAsNonRoot": True, "seccompProfile": PROFILE},
        {"allowPrivilegeEscalation": True, "capabilities": {"drop": ["NET_RAW", "ALL"]}},
    )


def test_a_container_that_says_it_is_not_root_keeps_the_user_of_its_image() -> None:
    pod = gpu_pod({"securityContext": {"runAsNonRoot": True}})
    assert _fixed(pod) == ({"seccompProfile": PROFILE}, {**DEMANDED, "runAsNonRoot": True})


def test_a_container_of_root_stays_one_and_is_refused() -> None:
    pod = gpu_pod({"securityContext": {"runAsUser": 0}})
    assert _fixed(pod) == ({"seccompProfile": PROFILE}, {**DEMANDED, "runAsUser": 0})


def test_a_container_that_needs_more_rights_is_not_given_what_contradicts_them() -> None:
    for rights in ({"privileged": True}, {"capabilities": {"add": ["SYS_ADMIN"]}}):
        _, own = _fixed(gpu_pod({"securityContext": rights}))
        assert "allowPrivilegeEscalation" not in str(own)


def test_a_user_namespace_needs_no_other_user_than_root() -> None:
    assert _fixed(gpu_pod(hostUsers=False)) == ({"seccompProfile": PROFILE}, DEMANDED)


def test_a_pod_of_windows_can_state_none_of_it() -> None:
    assert _fixed(gpu_pod(os={"name": "windows"})) == (None, None)


def test_a_malformed_context_is_left_to_the_api_server() -> None:
    assert _fixed(gpu_pod({"securityContext": "none"}, securityContext=[])) == ([], "none")


def test_where_the_level_is_another_or_nobody_asked_for_it_a_pod_stays_as_it_is() -> None:
    for namespace in ("serving", "spot", "foreign"):
        pod = gpu_pod()
        assert found(RULE, pod, namespace, namespaces=NAMESPACES, pod_security_user=1000) == []
    assert found(RULE, gpu_pod(), namespaces=NAMESPACES) == []


def test_an_update_changes_nothing_of_it() -> None:
    review = {"operation": UPDATE, "old": gpu_pod()}
    done = admit(gpu_pod(), "plain", review, namespaces=NAMESPACES, pod_security_user=1000)
    assert [one for one in done.outcomes if one.finding.rule == RULE.name] == []
