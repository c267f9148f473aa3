import re
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from gpus.catalog import load_catalog
from gpus.sharing import Sharing, SharingKind, mps_compute_part, sharing_problems

CATALOG = load_catalog()
LABEL_VALUE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?")
PROFILES = sorted(
    {p.name for model in CATALOG.models.values() if model.mig for p in model.mig.profiles}
)
SEVEN = (("1g.10gb", 7),)


@pytest.mark.parametrize(
    ("sharing", "kind", "replicas", "plugin_config", "mig_config"),
    [
        (Sharing(), "none", 1, None, None),
        (Sharing(time_slicing=4), "time-slicing", 4, "time-slicing-4", None),
        (Sharing(mps=4), "mps", 4, "mps-4", None),
        (Sharing(mig=SEVEN), "mig", 1, None, "mig-1g.10gb-x7"),
        (
            Sharing(mig=SEVEN, time_slicing=4),
            "mig-time-slicing",
            4,
            "mig-1g.10gb-time-slicing-4",
            "mig-1g.10gb-x7",
        ),
        (
            Sharing(mig=(("3g.40gb", 1), ("1g.10gb", 2), ("2g.20gb", 1))),
            "mig",
            1,
            None,
            "mig-1g.10gb-x2-2g.20gb-x1-3g.40gb-x1",
        ),
        (
            Sharing(mig=(("1g.10gb+me", 1), ("1g.10gb", 6)), time_slicing=2),
            "mig-time-slicing",
            2,
            "mig-1g.10gb-1g.10gb.me-time-slicing-2",
            "mig-1g.10gb-x6-1g.10gb.me-x1",
        ),
    ],
)
def test_what_follows_from_a_sharing(
    sharing: Sharing, kind: str, replicas: int, plugin_config: str | None, mig_config: str | None
) -> None:
    assert sharing.kind == SharingKind(kind)
    assert sharing.replicas == replicas
    assert sharing.device_plugin_config_name == plugin_config
    assert sharing.mig_config_name == mig_config


def test_a_name_too_long_for_a_label_is_cut_and_told_apart_by_a_digest() -> None:
    sharing = Sharing(mig=tuple((f"1g.24gb+number-{n}", 1) for n in range(4)), time_slicing=2)
    assert sharing.mig_config_name == (
        "mig-1g.24gb.number-0-x1-1g.24gb.number-1-x1-1g.24gb.nu-eb5f5dcf"
    )
    assert sharing.device_plugin_config_name == (
        "mig-1g.24gb.number-0-1g.24gb.number-1-1g.24gb.number-2-04cb3e85"
    )


sharings = st.builds(
    Sharing,
    mig=st.dictionaries(st.sampled_from(PROFILES), st.integers(1, 7), max_size=6).map(
        lambda layout: tuple(sorted(layout.items()))
    ),
    time_slicing=st.integers(1, 200),
    mps=st.integers(1, 48),
)


@settings(deadline=None)
@given(sharings)
def test_configuration_names_are_label_values(sharing: Sharing) -> None:
    for name in (sharing.mig_config_name, sharing.device_plugin_config_name):
        assert name is None or LABEL_VALUE.fullmatch(name)


@settings(deadline=None)
@given(sharings, sharings)
def test_two_layouts_share_a_name_only_when_they_are_equal(one: Sharing, other: Sharing) -> None:
    assert (one.mig_config_name == other.mig_config_name) == (one.mig == other.mig)


@settings(deadline=None)
@given(sharings.flatmap(lambda sharing: st.tuples(st.just(sharing), st.permutations(sharing.mig))))
def test_the_order_of_a_layout_does_not_change_its_names(
    case: tuple[Sharing, list[tuple[str, int]]],
) -> None:
    sharing, shuffled = case
    other = Sharing(tuple(shuffled), sharing.time_slicing, sharing.mps)
    assert other.mig_config_name == sharing.mig_config_name
    assert other.device_plugin_config_name == sharing.device_plugin_config_name


@pytest.mark.parametrize(
    ("model", "sharing", "problems"),
    [
        ("A100-SXM-80", Sharing(), ()),
        ("A100-SXM-80", Sharing(mig=SEVEN, time_slicing=4), ()),
        ("T4", Sharing(mps=48), ()),
        ("V100-SXM-16", Sharing(mps=16), ()),
        ("MI300X", Sharing(), ()),
        ("T4", Sharing(mig=SEVEN), ("T4 has no MIG; it can be shared by time-slicing or MPS",)),
        (
            "A100-SXM-80",
            Sharing(mig=(("1g.10gb", 8),)),
            (
                (
                    "A100-SXM-80 cannot hold this MIG layout: "
                    "1g.10gb x 8 is out of bounds; allowed: 1 to 7"
                ),
            ),
        ),
        (
            "A100-SXM-80",
            Sharing(mig=(("1g.10gb", 1), ("1g.10gb", 2))),
            ("the MIG layout names 1g.10gb 2 times; name each profile once",),
        ),
        (
            "A100-SXM-80",
            Sharing(mig=SEVEN, mps=2),
            ("MPS does not work on MIG instances; share them by time-slicing",),
        ),
        (
            "T4",
            Sharing(time_slicing=2, mps=2),
            ("time-slicing and MPS exclude each other; choose one",),
        ),
        (
            "T4",
            Sharing(time_slicing=0, mps=-1),
            (
                "time-slicing with 0 replicas shares nothing; at least 2",
                "MPS with -1 replicas shares nothing; at least 2",
            ),
        ),
        ("T4", Sharing(mps=49), ("MPS with 49 replicas is too many for T4; at most 48",)),
        (
            "V100-SXM-16",
            Sharing(mps=17),
            ("MPS with 17 replicas is too many for V100-SXM-16; at most 16",),
        ),
        (
            "MI300X",
            Sharing(mig=SEVEN, time_slicing=2, mps=2),
            (
                (
                    "MI300X is a GPU of amd and cannot be shared; "
                    "MIG, time-slicing and MPS are for GPUs of nvidia"
                ),
            ),
        ),
        (
            "L4",
            Sharing(mig=SEVEN, time_slicing=2, mps=2),
            (
                "L4 has no MIG; it can be shared by time-slicing or MPS",
                "MPS does not work on MIG instances; share them by time-slicing",
                "time-slicing and MPS exclude each other; choose one",
            ),
        ),
    ],
)
def test_every_fault_of_a_sharing_is_named(
    model: str, sharing: Sharing, problems: tuple[str, ...]
) -> None:
    found = sharing_problems(sharing, CATALOG.model(model))
    assert tuple(problem.text for problem in found) == problems


@pytest.mark.parametrize(("clients", "percent"), [(2, 50), (7, 14), (28, 3), (48, 2)])
def test_the_compute_of_an_mps_client_is_bounded_in_whole_percents(
    clients: int, percent: int
) -> None:
    assert mps_compute_part(clients) == Fraction(percent, 100)
