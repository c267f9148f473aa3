import re
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.platform.contribution import Contribution
from charts_py.platform.platform import Platform, owner_label, team_labels
from gpus.taint import Taint
from tests.charts_py.fixture_types import Load, PlatformWith


@pytest.fixture
def platform(platform_after: PlatformWith) -> Platform:
    return platform_after("eks")


def test_argo_cd_syncs_what_is_live_and_else_what_is_rendered(
    platform: Platform, platform_after: PlatformWith
) -> None:
    assert platform.live == "1.0.0"
    assert platform_after("eks", ("live: 1.0.0\n", "")).live == "1.1.0"


def test_nothing_may_be_live(platform_after: PlatformWith) -> None:
    platform = platform_after("eks", ("live: 1.0.0", "live: none"))
    assert not platform.is_live
    with pytest.raises(
        RenderError, match=r"^sample: live: none, so that there is no live version$"
    ):
        _ = platform.live


def test_every_resource_that_a_pool_offers_is_listed_once(platform: Platform) -> None:
    assert platform.offered_resources == (
        "nvidia.com/gpu",
        "nvidia.com/gpu.shared",
        "nvidia.com/mig-1g.10gb",
        "nvidia.com/mig-2g.20gb",
        "nvidia.com/mig-3g.40gb",
    )


def test_namespaces_know_their_team(platform: Platform) -> None:
    assert [(each.name, each.team_name) for each in platform.namespaces] == [
        ("research", "research"),
        ("search", "search"),
    ]


def test_pools_are_found_by_vendor_and_by_name(platform_after: PlatformWith) -> None:
    platform = platform_after("onprem")
    assert [pool.name for pool in platform.pools_of("amd")] == ["mi300x"]
    assert [pool.name for pool in platform.pools_of("nvidia", "amd")] == ["h200", "l40s", "mi300x"]
    assert platform.pool("l40s").vendor == "nvidia"
    with pytest.raises(KeyError, match="l4"):
        platform.pool("l4")


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        ("eks", DriverOwner.IMAGE),
        ("gke", DriverOwner.MANAGED),
        ("aks", DriverOwner.MANAGED),
        ("onprem", DriverOwner.OPERATOR),
    ],
)
def test_the_driver_is_the_providers_own_unless_said(
    platform_after: PlatformWith, name: str, owner: DriverOwner
) -> None:
    assert platform_after(name).driver_owner is owner


def test_a_daemon_meets_the_taints_that_nodes_start_with_beside_those_that_stay(
    platform: Platform,
) -> None:
    starting = Taint("example.com/starting", "true", "NoSchedule")
    added = Contribution(startup_taints={"h100": (starting,)})
    started = replace(platform, contribute=lambda _: added)
    (pool,) = (pool for pool in platform.pools if pool.name == "h100")
    assert started.daemon_taints((pool,)) == (*pool.facts.taints, starting)
    assert platform.daemon_taints((pool,)) == pool.facts.taints


def test_a_daemon_meets_no_taint_that_nodes_of_other_pools_start_with(platform: Platform) -> None:
    starting = Taint("example.com/starting", "true", "NoSchedule")
    added = Contribution(startup_taints={"other": (starting,)})
    started = replace(platform, contribute=lambda _: added)
    assert starting not in started.daemon_taints(platform.pools)


_LABEL_VALUE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")
_MAIL_ADDRESS = st.from_regex(r"[^@\s]+@[^@\s]+", fullmatch=True)


def test_a_namespace_names_its_team_and_who_pays(example: Load) -> None:
    assert {each.name: team_labels(each) for each in example("training").namespaces} == {
        "recommendations": {
            "gpuplane.io/team": "recommendations",
            "gpuplane.io/cost-center": "4712",
            "gpuplane.io/project": "recommendations",
        },
        "research-notebooks": {
            "gpuplane.io/team": "research",
            "gpuplane.io/cost-center": "4711",
            "gpuplane.io/project": "foundation-models",
        },
        "research-training": {
            "gpuplane.io/team": "research",
            "gpuplane.io/cost-center": "4711",
            "gpuplane.io/project": "foundation-models",
        },
    }


@pytest.mark.parametrize(
    ("mail_address", "label"),
    [
        ("research-leads@example.com", "research-leads_at_example.com"),
        ("ml+gpu@example.com", "ml_gpu_at_example.com-12eeff45"),
        ("_ml@example.com", "ml_at_example.com-6fff3947"),
        (f"{'m' * 48}@example.com", f"{'m' * 48}_at_example.com"),
        (f"{'m' * 49}@example.com", f"{'m' * 49}_at_e-db21b10d"),
        (f"{'m' * 60}@example.com", f"{'m' * 54}-ca40cdca"),
    ],
)
def test_a_mail_address_becomes_a_label_value(mail_address: str, label: str) -> None:
    assert owner_label(mail_address) == label


@given(_MAIL_ADDRESS)
def test_every_mail_address_has_a_label_value(mail_address: str) -> None:
    assert _LABEL_VALUE.fullmatch(owner_label(mail_address))


@given(_MAIL_ADDRESS, _MAIL_ADDRESS)
def test_two_mail_addresses_have_two_label_values(one: str, other: str) -> None:
    assert (owner_label(one) == owner_label(other)) is (one == other)
