"""What changed settings of the rules do."""

import datetime as dt
import json
from dataclasses import replace
from typing import Any

import pytest

from charts_py.cluster_file.policies import Admission, CustomRule, Policies, PolicyException
from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP, SETTINGS_KEY
from charts_py.objects.document import Document
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.effects.rule_settings import in_tree_rules
from gpuplane.plan.object_change import ChangeContext
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.versions.comparison import PlacedObject
from gpus.sharing import SharingKind
from policies.custom_rule import CustomSeverity
from policies.rule_name import Mode
from policies.settings import (
    NamespaceSettings,
    OfferedResource,
    PoolSettings,
    Settings,
    SharedMemorySettings,
)
from policies.settings_json import write_settings
from tests.charts_py.fixture_types import PlatformWith
from tests.gpuplane.plan.single_change import document, only, placed, planned

WHEN = (
    "The webhook reads its settings anew once its volume is refreshed, within a minute or so; new "
    "and changed objects alone are judged by them."
)
EXCEPTION = {
    "rule": "host-ipc",
    "namespace": "research",
    "expires": "2027-03-31",
    "reason": "A benchmark.",
    "owner": "research@example.com",
}


def _effect(old: str, new: str) -> Effect:
    before, after = ({"data": {SETTINGS_KEY: text}} for text in (old, new))
    (effect,) = planned("v1 ConfigMap", before, after, name=SETTINGS_CONFIG_MAP).effects
    return effect


def _reason(old: str, new: str) -> str:
    return _effect(old, new).reason


def _written(**settings: Any) -> str:
    return json.dumps({"version": 1, "cluster": "lab", **settings})


def test_exceptions_are_named_by_rule_namespace_and_end() -> None:
    old, new = _written(exceptions=[]), _written(exceptions=[EXCEPTION])
    exception = "The exception from host-ipc in research, until 2027-03-31,"
    assert _reason(old, new) == f"{exception} is new. {WHEN}"
    assert _reason(new, old) == f"{exception} is gone. {WHEN}"
    longer = _written(exceptions=[EXCEPTION | {"expires": "2027-06-30"}])
    assert _reason(new, longer) == (
        f"The exception from host-ipc in research ends on 2027-06-30 in place of 2027-03-31. {WHEN}"
    )


def test_modes_are_named_by_rule() -> None:
    old = _written(mode="audit", modes={"image-tag": "warn"})
    new = _written(mode="enforce", modes={"image-tag": "audit", "host-ipc": "warn"})
    assert _reason(old, new) == (
        "Rules go from audit to enforce, unless their mode is stated. The rule host-ipc goes from "
        f"audit to warn. The rule image-tag goes from warn to audit. {WHEN}"
    )


AUDITED = {"image-registry": "audit"}
LONGER = EXCEPTION | {"expires": "2027-06-30"}
RULE = {"modes": {"image-tag": "warn"}}
ENFORCED = {"modes": {"image-tag": "enforce"}}
NAMESPACE = {"team": "search", "purpose": "batch"}


def _in_a(modes: dict[str, Any]) -> dict[str, Any]:
    return {"namespaces": {"a": {**NAMESPACE, **modes}}}


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        (RULE, ENFORCED, Verdict.DEFERRED),
        (ENFORCED, RULE, Verdict.SAFE),
        (RULE, {}, Verdict.DEFERRED),
        ({"mode": "warn"}, {}, Verdict.DEFERRED),
        ({"mode": "off"}, {"mode": "warn"}, Verdict.SAFE),
        (
            {"mode": "warn", "modes": {"image-tag": "warn"}},
            {"modes": {"image-tag": "warn"}},
            Verdict.DEFERRED,
        ),
        (_in_a(RULE), _in_a(ENFORCED), Verdict.DEFERRED),
        pytest.param(_in_a(RULE), {}, Verdict.SAFE, id="the namespace goes"),
        ({}, _in_a(RULE), Verdict.SAFE),
        ({"exceptions": [EXCEPTION]}, {}, Verdict.DEFERRED),
        ({}, {"exceptions": [EXCEPTION]}, Verdict.SAFE),
        ({"exceptions": [EXCEPTION]}, {"exceptions": [LONGER]}, Verdict.SAFE),
        ({"exceptions": [LONGER]}, {"exceptions": [EXCEPTION]}, Verdict.DEFERRED),
        ({"exceptions": [EXCEPTION]}, {"exceptions": [EXCEPTION | {"reason": "b"}]}, Verdict.SAFE),
        ({}, {"registries": ["a"]}, Verdict.DEFERRED),
        ({"registries": ["a"]}, {"registries": ["b"]}, Verdict.DEFERRED),
        ({"registries": ["a"]}, {"registries": ["a", "b"]}, Verdict.SAFE),
        ({"registries": ["a"]}, {}, Verdict.SAFE),
        pytest.param(
            {"modes": AUDITED, "registries": ["a", "b"]},
            {"modes": AUDITED, "registries": ["a"]},
            Verdict.SAFE,
            id="a registry that is audited",
        ),
        pytest.param(
            {"modes": {"runtime-class": "warn"}}, {}, Verdict.SAFE, id="a rule finds nothing anyway"
        ),
        pytest.param(
            {"modes": {"shared-memory": "warn"}}, {}, Verdict.SAFE, id="a rule changes pods"
        ),
        ({}, {"exemptNamespaces": ["logging"]}, Verdict.DEFERRED),
        ({}, {"sharedMemory": {}}, Verdict.SAFE),
    ],
)
def test_a_stricter_rule_waits_for_what_starts_again(
    old: dict[str, Any], new: dict[str, Any], verdict: Verdict
) -> None:
    assert _effect(_written(**old), _written(**new)).verdict is verdict


SHARE = EXCEPTION | {"rule": "gpu-share"}
WARNED = {"modes": {"host-ipc": "warn"}}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"modes": {"gpu-share": "audit"}}, {}),
        ({"exceptions": [SHARE]}, {}),
        ({"exceptions": [EXCEPTION], **WARNED}, WARNED),
        (
            {"exceptions": [EXCEPTION]},
            {"namespaces": {"research": {"team": "research", "purpose": "batch", **WARNED}}},
        ),
    ],
)
def test_what_a_rule_only_warns_of_is_not_refused(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert _effect(_written(**old), _written(**new)).verdict is Verdict.SAFE


def test_what_is_no_longer_fixed_waits_for_what_starts_again() -> None:
    old, new = (
        write_settings(Settings("lab", modes={"tolerations": each}))
        for each in (Mode.ENFORCE, Mode.AUDIT)
    )
    effect = _effect(old, new)
    assert (effect.verdict, effect.reason) == (
        Verdict.DEFERRED,
        (
            "Pods are no longer fixed by the rule tolerations: what counts on that may wait or "
            "fail when it starts again. The rule tolerations goes from enforce to audit. "
            f"{WHEN}"
        ),
    )


def test_less_shared_memory_is_for_what_starts_again() -> None:
    smaller = Settings("lab", shared_memory=SharedMemorySettings(cap=2**30))
    effect = _effect(write_settings(Settings("lab")), write_settings(smaller))
    told = "GPU pods that start get less shared memory: cap 1Gi in place of 64Gi."
    assert (effect.verdict, effect.reason) == (Verdict.DEFERRED, f"{told} {WHEN}")


def test_shared_memory_of_which_some_is_less_and_some_more_is_told_once_each() -> None:
    old, new = (
        write_settings(Settings("lab", shared_memory=SharedMemorySettings(cap=cap, floor=floor)))
        for cap, floor in ((2**30, 2**20), (2**29, 2**21))
    )
    assert _reason(old, new) == (
        "GPU pods that start get less shared memory: cap 512Mi in place of 1Gi. Also changed: "
        f"sharedMemory.floor: 1048576 becomes 2097152. {WHEN}"
    )


def test_a_registry_that_only_an_audited_rule_would_find_is_told_as_a_change() -> None:
    old, new = (_written(modes=AUDITED, registries=each) for each in (["a/", "b/"], ["a/"]))
    assert _reason(old, new) == (f'Also changed: registries: ["a/", "b/"] becomes ["a/"]. {WHEN}')


def test_a_mode_says_where_the_rule_only_warns() -> None:
    old, new = (_written(modes={"gpu-share": mode}) for mode in ("audit", "enforce"))
    assert _reason(old, new) == f"The rule gpu-share goes from audit to enforce, and warns. {WHEN}"


@pytest.mark.parametrize(
    ("today", "verdict", "told"),
    [
        ("2027-03-31", Verdict.DEFERRED, "until 2027-03-31"),
        ("2027-04-01", Verdict.SAFE, "which ended on 2027-03-31"),
    ],
)
def test_an_exception_that_has_expired_goes_without_a_change(
    today: str, verdict: Verdict, told: str
) -> None:
    before, after = (
        placed(document("v1 ConfigMap", {"data": {SETTINGS_KEY: text}}, SETTINGS_CONFIG_MAP))
        for text in (_written(exceptions=[EXCEPTION]), _written())
    )
    context = ChangeContext(today=dt.date.fromisoformat(today))
    (found,) = planned_objects(before, after, context)
    assert [(each.verdict, each.reason) for each in found.effects] == [
        (verdict, f"The exception from host-ipc in research, {told}, is gone. {WHEN}")
    ]


IN_TREE = {"admission": Admission.IN_TREE_ONLY}
AT_ONCE = "The API server judges new and changed objects alone by it, at once."


def _own(severity: CustomSeverity) -> dict[str, Any]:
    return {"own": {"bare": CustomRule(expression="true", message="A.", severity=severity)}}


def _excepted(rule: str, expires: str) -> dict[str, Any]:
    made = PolicyException.model_validate(EXCEPTION | {"rule": rule, "expires": expires})
    return {"exceptions": (made,)}


REFUSED = _own(CustomSeverity.REFUSE)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({}, REFUSED, ["The rule bare refuses pods from now on."]),
        pytest.param(
            REFUSED | _excepted("bare", "2027-03-31"),
            REFUSED,
            ["Pods are refused by the rule bare in research from now on."],
            id="an exception from a custom rule goes",
        ),
        pytest.param(
            REFUSED | _excepted("bare", "2027-03-31"),
            REFUSED | _excepted("bare", "2026-12-31"),
            ["Pods are refused by the rule bare in research after 2026-12-31."],
            id="an exception from a custom rule ends sooner",
        ),
        pytest.param(
            REFUSED | _excepted("host-ipc", "2027-03-31"),
            REFUSED,
            [],
            id="the webhook's settings say so of other rules",
        ),
        pytest.param(
            IN_TREE | REFUSED | _excepted("bare", "2027-03-31"),
            IN_TREE | REFUSED,
            ["The exception from bare in research, until 2027-03-31, is gone."],
            id="without a webhook it is told once",
        ),
        ({}, _own(CustomSeverity.WARN), []),
        (IN_TREE, IN_TREE | _own(CustomSeverity.WARN), []),
        (
            IN_TREE | {"rules": {"image-tag": Mode.WARN}},
            IN_TREE,
            ["The rule image-tag goes from warn to enforce."],
        ),
        (IN_TREE | {"rules": {"gpu-share": Mode.AUDIT}}, IN_TREE, []),
        ({"rules": {"image-tag": Mode.WARN}}, {}, []),
    ],
)
def test_the_api_server_s_policies_say_what_no_webhook_reads(
    platform_after: PlatformWith, before: dict[str, Any], after: dict[str, Any], told: list[str]
) -> None:
    platform = platform_after("eks")
    old, new = (
        replace(
            platform, cluster=platform.cluster.model_copy(update={"policies": Policies(**each)})
        )
        for each in (before, after)
    )
    found = [*in_tree_rules(old, new, dt.date(2026, 11, 24))]
    assert [(each.verdict, each.reason) for each in found] == [
        (Verdict.DEFERRED, f"{one} {AT_ONCE}") for one in told
    ]


def test_modes_of_a_namespace_are_named_with_it() -> None:
    old, new = (_written(**_in_a(each)) for each in (RULE, ENFORCED))
    assert _reason(old, new) == (f"In a, the rule image-tag goes from warn to enforce. {WHEN}")


def test_what_else_differs_is_named() -> None:
    old, new = (
        write_settings(
            Settings(
                "lab",
                pools=(PoolSettings(name, "nvidia", (), cpu=1, memory=1),),
                registries=(registry,),
                shared_memory=SharedMemorySettings(fraction=fraction),
            )
        )
        for name, registry, fraction in (("a", "a/", 0.4), ("b" * 80, "c/", 0.5))
    )
    assert _reason(old, new) == (
        'Images from a/ are no longer allowed. Also changed: pools; registries: ["a/"] becomes '
        f'["c/"]; sharedMemory.fraction: 0.4 becomes 0.5. {WHEN}'
    )


def test_registries_that_are_allowed_too_are_named() -> None:
    old, new = _written(registries=["a/"]), _written(registries=["a/", "b/"])
    assert _reason(old, new) == f"Images from b/ are allowed too. {WHEN}"


def test_what_is_no_longer_allowed_is_told_once() -> None:
    old, new = (
        write_settings(
            Settings(
                "lab",
                registries=registries,
                namespaces={"search": NamespaceSettings("search", "batch", "a", classes)},
            )
        )
        for registries, classes in ((("a/", "b/"), ("a", "b")), (("a/",), ("a",)))
    )
    effect = _effect(old, new)
    assert (effect.verdict, effect.reason) == (
        Verdict.DEFERRED,
        (
            "Images from b/ are no longer allowed. GPU pods in search can no longer have the "
            f"priority class b. {WHEN}"
        ),
    )


def test_settings_that_cannot_be_read_are_not_judged() -> None:
    effect = _effect(_written(), _written(sharedMemmory={}))
    assert (effect.verdict, effect.is_known, effect.reason) == (
        Verdict.DEFERRED,
        False,
        (
            "Not known: this version of gpuplane cannot read the settings (sharedMemmory: unknown;"
            f" nearest: sharedMemory). {WHEN}"
        ),
    )


def _written_settings(*resources: str) -> Settings:
    offered = tuple(OfferedResource(each, 8, SharingKind.NONE) for each in resources)
    pool = PoolSettings("a100", "nvidia", offered, cpu=96, memory=2**40)
    return Settings(cluster="lab", pools=(pool,))


def _settings(*resources: str) -> dict[PlacedObject, Document]:
    text = write_settings(_written_settings(*resources))
    return placed(document("v1 ConfigMap", {"data": {SETTINGS_KEY: text}}, SETTINGS_CONFIG_MAP))


def _quota(**hard: str) -> dict[PlacedObject, Document]:
    named = {name.replace("_", "-"): amount for name, amount in hard.items()}
    keys = {f"requests.nvidia.com/{name}": amount for name, amount in named.items()}
    return placed(document("v1 ResourceQuota", {"spec.hard": keys}))


def test_a_quota_comes_and_goes_with_the_resource_that_pools_offer() -> None:
    before = _settings("nvidia.com/mig-7g") | _quota(mig_7g="7")
    after = _settings("nvidia.com/mig-1g") | _quota(mig_1g="4")
    planned = only(planned_objects(before, after), "ResourceQuota")
    assert {each.field: each.reason for each in planned.effects} == {
        'spec.hard["requests.nvidia.com/mig-7g"]': (
            "No pool offers it any longer, so the quota has nothing to count; pods that ask "
            "for it do not start again."
        ),
        'spec.hard["requests.nvidia.com/mig-1g"]': (
            "A pool offers it from now on, of which the namespace may hold 4."
        ),
    }


def test_a_quota_comes_with_its_resource_where_a_version_renders_no_settings() -> None:
    sides = (_written_settings("nvidia.com/gpu"), _written_settings("nvidia.com/mig-1g"))
    context = ChangeContext(settings=sides)
    (planned,) = planned_objects(_quota(gpu="7"), _quota(mig_1g="4"), context)
    assert [(each.verdict, each.reason) for each in planned.effects] == [
        (
            Verdict.DEFERRED,
            (
                "No pool offers it any longer, so the quota has nothing to count; pods that ask "
                "for it do not start again."
            ),
        ),
        (Verdict.SAFE, "A pool offers it from now on, of which the namespace may hold 4."),
    ]


def test_nobody_loses_a_resource_of_which_the_quota_allowed_none() -> None:
    before = _settings("nvidia.com/mig-7g") | _quota(mig_7g="0")
    after = _settings("nvidia.com/mig-1g") | _quota(mig_1g="0")
    planned = only(planned_objects(before, after), "ResourceQuota")
    assert [(each.verdict, each.reason) for each in planned.effects] == [
        (Verdict.SAFE, "No pool offers it any longer, and the quota allowed none of it."),
        (Verdict.SAFE, "A pool offers it from now on, of which the namespace may hold 0."),
    ]


def test_a_quota_that_goes_while_pools_offer_its_resource_bounds_nothing_any_longer() -> None:
    offered = _settings("nvidia.com/mig-7g")
    before, after = offered | _quota(mig_7g="7", gpu="1"), offered | _quota(gpu="1")
    planned = only(planned_objects(before, after), "ResourceQuota")
    assert planned.effects[0].reason == "7 becomes none: the namespace may hold more."
