"""What changed settings of the rules do."""

import datetime as dt
import json
from dataclasses import replace
from typing import Any

import pytest

from charts_py.cluster_file.policies import Admission, CustomRule, Policies
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
EXCEPTION = {"rule": "host-ipc", "namespace": "research", "expires": "2027-03-31"}


def _effect(old: str, new: str) -> Effect:
    before, after = ({"data": {SETTINGS_KEY: text}} for text in (old, new))
    (effect,) = planned("v1 ConfigMap", before, after, name=SETTINGS_CONFIG_MAP).effects
    return effect


def _reason(old: str, new: str) -> str:
    return _effect(old, new).reason


def _written(**settings: Any) -> str:
    return json.dumps(settings)


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


LONGER = EXCEPTION | {"expires": "2027-06-30"}
RULE = {"modes": {"spot": "warn"}}
ENFORCED = {"modes": {"spot": "enforce"}}


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        (RULE, ENFORCED, Verdict.DEFERRED),
        (ENFORCED, RULE, Verdict.SAFE),
        (RULE, {}, Verdict.DEFERRED),
        ({"mode": "warn"}, {}, Verdict.DEFERRED),
        ({"mode": "off"}, {"mode": "warn"}, Verdict.SAFE),
        (
            {"mode": "warn", "modes": {"spot": "warn"}},
            {"modes": {"spot": "warn"}},
            Verdict.DEFERRED,
        ),
        ({"namespaces": {"a": RULE}}, {"namespaces": {"a": ENFORCED}}, Verdict.DEFERRED),
        ({"namespaces": {"a": RULE}}, {}, Verdict.DEFERRED),
        ({}, {"namespaces": {"a": RULE}}, Verdict.SAFE),
        ({"exceptions": [EXCEPTION]}, {}, Verdict.DEFERRED),
        ({}, {"exceptions": [EXCEPTION]}, Verdict.SAFE),
        ({"exceptions": [EXCEPTION]}, {"exceptions": [LONGER]}, Verdict.SAFE),
        ({"exceptions": [LONGER]}, {"exceptions": [EXCEPTION]}, Verdict.DEFERRED),
        ({"exceptions": [EXCEPTION]}, {"exceptions": [EXCEPTION | {"reason": "b"}]}, Verdict.SAFE),
        ({}, {"registries": ["a"]}, Verdict.DEFERRED),
        ({"registries": ["a"]}, {"registries": ["b"]}, Verdict.DEFERRED),
        ({"registries": ["a"]}, {"registries": ["a", "b"]}, Verdict.SAFE),
        ({"registries": ["a"]}, {}, Verdict.SAFE),
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
        ({"exceptions": [EXCEPTION]}, {"namespaces": {"research": WARNED}}),
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
    assert (effect.verdict, effect.reason.startswith(told)) == (Verdict.DEFERRED, True)


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


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({}, _own(CustomSeverity.REFUSE), ["The rule bare refuses pods from now on."]),
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
    old, new = (_written(namespaces={"search": each}) for each in (RULE, ENFORCED))
    assert _reason(old, new) == (f"In search, the rule spot goes from warn to enforce. {WHEN}")


def test_what_else_differs_is_named() -> None:
    old = _written(pools=[{"name": "a"}], registries=["a"], sharedMemory={"fraction": 0.5})
    new = _written(pools=[{"name": "b" * 80}], registries=["c"], sharedMemory={"fraction": 0.4})
    assert _reason(old, new) == (
        'Also changed: pools; registries: ["a"] becomes ["c"]; sharedMemory.fraction: 0.5 becomes '
        f"0.4. {WHEN}"
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


def test_of_settings_that_cannot_be_read_the_plan_says_that_they_are_read_anew() -> None:
    assert _reason("{", "[]") == WHEN


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
