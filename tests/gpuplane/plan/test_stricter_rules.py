"""What rules refuse from now on that they took before."""

import datetime as dt
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from charts_py.cluster_file.fault import FieldPath
from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.rule_clause import RuleClause
from gpuplane.plan.stricter_rules import (
    changing_rules,
    enforced_rules,
    narrower_settings,
    stricter_clauses,
    stricter_pools,
    warning_rules,
)
from gpus.platform_names import PURCHASE
from gpus.sharing import SharingKind
from policies.custom_rule import CustomRule, CustomSeverity
from policies.rule_name import Mode, RuleName
from policies.settings import (
    EFA_RESOURCE,
    NamespaceSettings,
    OfferedResource,
    PoolSettings,
    Settings,
)
from tests.charts_py.fixture_types import PlatformWith

TODAY = dt.date(2026, 12, 1)
GIB = 2**30
A10G, H100 = "pods on lab/a10g that ask for more than", "pods on lab/h100 that ask for"
AGAIN = "may be refused, or wait, when they start again"


def _texts(clauses: Iterable[RuleClause]) -> list[str]:
    return [each.text for each in clauses]


Change: TypeAlias = Callable[[PoolSettings], PoolSettings]


def _spot(pool: PoolSettings) -> PoolSettings:
    return replace(pool, labels={**pool.labels, PURCHASE: "spot"})


def _fewer(pool: PoolSettings) -> PoolSettings:
    resources = (replace(each, per_node=each.per_node // 2) for each in pool.resources)
    return replace(pool, resources=tuple(resources))


def _smaller(pool: PoolSettings) -> PoolSettings:
    return replace(pool, cpu=24, memory=100 * GIB, others={EFA_RESOURCE: 1}, disk=None)


def _without_network(pool: PoolSettings) -> PoolSettings:
    return replace(pool, others={})


def _without_daemons(pool: PoolSettings) -> PoolSettings:
    return replace(pool, daemons={})


def _with_daemons(pool: PoolSettings) -> PoolSettings:
    memory, kept = pool.memory - GIB, pool.kept_millicpu + 1000
    return replace(pool, memory=memory, kept_millicpu=kept, daemons={"cpu": "1", "memory": "1Gi"})


def _same(pool: PoolSettings) -> PoolSettings:
    return pool


@pytest.mark.parametrize(
    ("name", "before", "after", "told"),
    [
        ("h100", _same, _same, []),
        ("h100", _same, _spot, ["pods on lab/h100 have to opt in to spot nodes"]),
        ("h100", _spot, _same, []),
        (
            "h100",
            _same,
            _fewer,
            ["pods on lab/h100 can ask for 4 nvidia.com/gpu at most in place of 8"],
        ),
        ("h100", _fewer, _same, []),
        ("a10g", _same, _fewer, []),
        ("a100-mig", _same, _fewer, []),
        ("a10g", _same, _smaller, [f"{A10G} 23 CPUs or 100Gi of memory {AGAIN}"]),
        (
            "h100",
            _same,
            _smaller,
            [f"{H100} more than 23 CPUs, 100Gi of memory or 1 vpc.amazonaws.com/efa {AGAIN}"],
        ),
        ("h100", _same, _without_network, [f"{H100} any vpc.amazonaws.com/efa {AGAIN}"]),
        ("h100", _smaller, _same, []),
        # Daemons that come take little, and are told where they are added.
        ("h100", _without_daemons, _with_daemons, []),
    ],
)
def test_a_pool_that_refuses_pods_which_it_took_is_told(
    platform_after: PlatformWith, name: str, before: Change, after: Change, told: list[str]
) -> None:
    (pool,) = (each for each in policy_settings(platform_after("eks")).pools if each.name == name)
    assert _texts(stricter_pools([before(pool)], [after(pool)], "lab")) == told


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("{image-tag: warn}", "{image-tag: warn}", []),
        ("{image-tag: enforce}", "{image-tag: warn}", []),
        (
            "{image-tag: warn}",
            "{image-tag: enforce}",
            ["lab refuses pods by the rule image-tag from now on"],
        ),
        (
            "{image-tag: warn, ld-preload: audit}",
            "{}",
            [
                "lab refuses pods by the rule image-tag from now on",
                (
                    "lab changes pods by the rule ld-preload from now on, and refuses those that "
                    "do not pass even so"
                ),
            ],
        ),
    ],
)
def test_rules_that_begin_to_refuse_are_told(
    platform_after: PlatformWith, before: str, after: str, told: list[str]
) -> None:
    stated = "rules: {image-tag: warn}"
    old, new = (
        policy_settings(platform_after("eks", (stated, f"rules: {rules}")))
        for rules in (before, after)
    )
    assert _texts(enforced_rules(old, new, "lab")) == told


POOL = PoolSettings("a", "nvidia", (), 1, 1)
OWN = CustomRule("no-labels", "true", "No labels.", severity=CustomSeverity.WARN)


@pytest.mark.parametrize(
    ("before", "after", "refusing", "warning"),
    [
        (
            {"modes": {"gpu-share": Mode.AUDIT}},
            {},
            [],
            ["lab warns of pods by the rule gpu-share from now on"],
        ),
        ({"modes": {"gpu-share": Mode.WARN}}, {}, [], []),
        pytest.param(
            {"modes": {"runtime-class": Mode.OFF}},
            {},
            [],
            [],
            id="the rule finds nothing on the cluster",
        ),
        (
            {"modes": {"image-tag": Mode.OFF}},
            {"modes": {"image-tag": Mode.WARN}},
            [],
            ["lab warns of pods by the rule image-tag from now on"],
        ),
        ({}, {"own": (OWN,)}, [], ["lab warns of pods by the rule no-labels from now on"]),
        (
            {},
            {"own": (replace(OWN, severity=CustomSeverity.REFUSE),)},
            ["lab refuses pods by the rule no-labels from now on"],
            [],
        ),
        ({"own": (OWN,)}, {}, [], []),
        (
            {
                "modes": {"image-tag": Mode.AUDIT},
                "namespaces": {"a": NamespaceSettings("a", "batch")},
            },
            {
                "modes": {"image-tag": Mode.WARN},
                "namespaces": {
                    "a": NamespaceSettings("a", "batch", modes={"image-tag": Mode.ENFORCE})
                },
            },
            ["lab refuses pods by the rule image-tag from now on"],
            [],
        ),
    ],
)
def test_a_rule_that_only_warns_refuses_nothing(
    before: dict[str, Any], after: dict[str, Any], refusing: list[str], warning: list[str]
) -> None:
    old, new = (Settings("lab", pools=(POOL,), **each) for each in (before, after))
    assert _texts(enforced_rules(old, new, "lab")) == refusing
    assert [*warning_rules(old, new, "lab")] == warning


BY_MPS = replace(POOL, resources=(OfferedResource("nvidia.com/gpu", 8, SharingKind.MPS),))
MENDING = replace(OWN, apply="object")


@pytest.mark.parametrize(
    ("rule", "settings", "told"),
    [
        ("shared-memory", {}, ""),
        ("runtime-class", {"runtime_class": "nvidia"}, ""),
        ("no-labels", {"own": (MENDING,)}, ""),
        pytest.param(
            "shared-memory",
            {"pools": (BY_MPS,)},
            ", and refuses those that do not pass even so",
            id="a volume there hides the memory of MPS",
        ),
        pytest.param(
            "team-labels",
            {"namespaces": {"a": NamespaceSettings("a", "batch", labels={"team": "a"})}},
            ", and refuses those that do not pass even so",
            id="another team's labels stay",
        ),
        pytest.param("pod-security", {}, None, id="nothing is fixed where nobody asks for it"),
    ],
)
def test_a_rule_that_fixes_changes_pods_and_refuses_only_where_it_can(
    rule: str, settings: dict[str, Any], told: str | None
) -> None:
    old, new = (
        Settings("lab", **({"pools": (POOL,)} | settings), modes={rule: mode})
        for mode in (Mode.WARN, Mode.ENFORCE)
    )
    is_refusing = bool(told)
    sentence = [] if told is None else [f"lab changes pods by the rule {rule} from now on{told}"]
    assert _texts(enforced_rules(old, new, "lab")) == (sentence if is_refusing else [])
    assert _texts(changing_rules(old, new, "lab")) == ([] if is_refusing else sentence)


def test_a_rule_does_not_begin_to_refuse_with_a_pool_that_it_refuses_pods_on() -> None:
    old, new = (Settings("lab", pools=pools) for pools in ((POOL,), (POOL, BY_MPS)))
    assert _texts(enforced_rules(old, new, "lab")) == []


NAMESPACE = NamespaceSettings("search", "batch")


@pytest.mark.parametrize(
    ("before", "after", "field"),
    [
        (
            {"modes": {"image-tag": Mode.WARN}},
            {"modes": {"image-tag": Mode.ENFORCE}},
            ("policies", "rules", "image-tag"),
        ),
        ({"mode": Mode.AUDIT}, {}, ("policies", "mode")),
        (
            {},
            {"own": (replace(OWN, severity=CustomSeverity.REFUSE),)},
            ("policies", "own", "no-labels"),
        ),
        (
            {"mode": Mode.WARN, "namespaces": {"a": NAMESPACE}},
            {
                "mode": Mode.WARN,
                "namespaces": {"a": replace(NAMESPACE, modes={"image-tag": Mode.ENFORCE})},
            },
            ("teams", "search", "namespaces", "a", "rules", "image-tag"),
        ),
        ({}, {"registries": ("a/",)}, ("policies", "registries")),
        (
            {"namespaces": {"a": replace(NAMESPACE, priorities=("a", "b"))}},
            {"namespaces": {"a": replace(NAMESPACE, priorities=("a",))}},
            ("teams", "search", "priorities"),
        ),
        (
            {"pools": (POOL,)},
            {"pools": (replace(POOL, labels={PURCHASE: "spot"}),)},
            ("pools", "a"),
        ),
        (
            {"namespaces": {"a": replace(NAMESPACE, spot=True)}},
            {"namespaces": {"a": NAMESPACE}},
            ("teams", "search", "namespaces", "a", "spot"),
        ),
        ({"exempt_namespaces": ("a",)}, {}, ("policies", "exempt")),
    ],
)
def test_a_clause_names_the_field_that_says_so(
    before: dict[str, Any], after: dict[str, Any], field: FieldPath
) -> None:
    old, new = (Settings("lab", **each) for each in (before, after))
    assert {each.field for each in stricter_clauses(old, new, "lab", TODAY)} == {field}


def test_rules_do_not_begin_to_refuse_in_a_new_namespace(platform_after: PlatformWith) -> None:
    new = policy_settings(platform_after("eks"))
    assert _texts(enforced_rules(replace(new, namespaces={}), new, "lab")) == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (("a/", "b/"), ("a/", "b/"), []),
        (("a/",), ("a/", "b/"), []),
        (("a/",), (), []),
        (("a/b/",), ("a/",), []),
        (("a/", "b/"), ("a/",), ["images from b/ are no longer allowed on lab"]),
        (
            ("a/", "b/", "c/"),
            ("b/x/", "d/"),
            ["images from a/, b/, c/, except those from b/x/, are no longer allowed on lab"],
        ),
        ((), ("a/", "b/"), ["images are allowed from a/, b/ alone on lab"]),
    ],
)
def test_registries_that_are_no_longer_allowed_are_told(
    before: tuple[str, ...], after: tuple[str, ...], told: list[str]
) -> None:
    old, new = (Settings("lab", registries=each) for each in (before, after))
    assert _texts(stricter_clauses(old, new, "lab", TODAY)) == told


def test_a_registry_that_is_warned_of_is_told_and_not_refused() -> None:
    modes = {RuleName.IMAGE_REGISTRY.value: Mode.WARN}
    old, new = (Settings("lab", registries=each, modes=modes) for each in (("a/", "b/"), ("a/",)))
    assert _texts(stricter_clauses(old, new, "lab", TODAY)) == []
    assert _texts(narrower_settings(old, new)) == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (("a", "b"), ("a", "b", "c"), []),
        (("a", "b"), (), []),
        (("a", "b"), ("a",), ["can no longer have the priority class b"]),
        (
            ("b", "c", "a"),
            ("a",),
            [
                (
                    "can no longer have the priority classes b, c, and those that name none get "
                    "a in place of b"
                )
            ],
        ),
        ((), ("a", "b"), ["can have the priority classes a, b alone"]),
    ],
)
def test_priority_classes_that_a_namespace_loses_are_told_with_its_default(
    before: tuple[str, ...], after: tuple[str, ...], told: list[str]
) -> None:
    old, new = (
        Settings(
            "lab",
            namespaces={
                "search": NamespaceSettings(
                    "search", "inference", default_priority=next(iter(each), None), priorities=each
                )
            },
        )
        for each in (before, after)
    )
    assert _texts(stricter_clauses(old, new, "lab", TODAY)) == [
        f"GPU pods in lab/search {clause}" for clause in told
    ]


def test_what_rules_leave_alone_no_longer_is_told() -> None:
    spot = {"a": replace(NAMESPACE, spot=True)}
    old = Settings(
        "lab",
        namespaces=spot,
        exempt_namespaces=("logging", "mesh"),
        exempt_service_accounts=("mesh/agent",),
    )
    new = Settings("lab", namespaces={"a": NAMESPACE}, exempt_namespaces=("mesh",))
    assert _texts(stricter_clauses(old, new, "lab", TODAY)) == [
        "GPU pods in lab/a have to opt in to spot nodes themselves",
        "rules judge pods of the namespace logging on lab from now on",
        "rules judge pods of the service account mesh/agent on lab from now on",
    ]
    assert _texts(stricter_clauses(new, old, "lab", TODAY)) == []
