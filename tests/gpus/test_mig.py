import os
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from gpus.catalog import load_catalog
from gpus.mig import MigGeometry, MigProfile
from gpus.model import GpuModel

MODELS = [model for model in load_catalog().models.values() if model.mig]
BY_PCI_DEVICE = {model.pci_device: model for model in MODELS}


def geometry_of(name: str) -> MigGeometry:
    geometry = load_catalog().model(name).mig
    assert geometry is not None
    return geometry


A100_80 = geometry_of("A100-SXM-80")
A30 = geometry_of("A30")
RTX_PRO_6000 = geometry_of("RTX-PRO-6000")


def test_a_placement_has_the_widest_instances_first_and_no_slice_twice() -> None:
    placed = A100_80.placement({"1g.10gb": 2, "2g.20gb": 1, "3g.40gb": 1})
    assert placed is not None
    assert [(each.profile.name, each.start) for each in placed] == [
        ("3g.40gb", 4),
        ("2g.20gb", 0),
        ("1g.10gb", 2),
        ("1g.10gb", 3),
    ]
    assert A100_80.placement({"4g.40gb": 2}) is None


@pytest.mark.parametrize(
    ("geometry", "layout"),
    [
        (A100_80, {"1g.10gb": 7}),
        (A100_80, {"1g.20gb": 4}),
        (A100_80, {"2g.20gb": 3, "1g.10gb": 1}),
        (A100_80, {"3g.40gb": 2}),
        (A100_80, {"4g.40gb": 1, "3g.40gb": 1}),
        (A100_80, {"4g.40gb": 1, "2g.20gb": 1, "1g.20gb": 1}),
        (A100_80, {"7g.80gb": 1}),
        (A100_80, {"1g.10gb": 2, "2g.20gb": 1, "3g.40gb": 1}),
        (A100_80, {"1g.10gb": 6, "1g.10gb+me": 1}),
        (A30, {"2g.12gb": 1, "1g.6gb": 2}),
        (A30, {"2g.12gb": 1, "2g.12gb+me": 1}),
        (RTX_PRO_6000, {"1g.24gb+me.all": 1, "1g.24gb-me": 3}),
    ],
)
def test_a_layout_that_one_gpu_holds_has_no_problem(
    geometry: MigGeometry, layout: dict[str, int]
) -> None:
    assert geometry.problem(layout) is None


@pytest.mark.parametrize(
    ("geometry", "layout", "problem"),
    [
        (
            A100_80,
            {"1g.5gb": 7},
            (
                "unknown MIG profile 1g.5gb; allowed: 1g.10gb, 1g.10gb+me, 1g.20gb, 2g.20gb, "
                "3g.40gb, 4g.40gb, 7g.80gb; nearest: 1g.20gb, 1g.10gb, 1g.10gb+me"
            ),
        ),
        (
            A30,
            {"whole": 1},
            "unknown MIG profile whole; allowed: 1g.6gb, 1g.6gb+me, 2g.12gb, 2g.12gb+me, 4g.24gb",
        ),
        (A30, {}, "no profile is given; allowed: 1g.6gb, 1g.6gb+me, 2g.12gb, 2g.12gb+me, 4g.24gb"),
        (A100_80, {"1g.10gb": 8}, "1g.10gb x 8 is out of bounds; allowed: 1 to 7"),
        (A100_80, {"1g.10gb": 0}, "1g.10gb x 0 is out of bounds; allowed: 1 to 7"),
        (
            A100_80,
            {"3g.40gb": 2, "1g.10gb": 1},
            "3g.40gb x 2 + 1g.10gb x 1 needs 9 of 8 memory slices",
        ),
        (
            A100_80,
            {"1g.10gb": 7, "1g.10gb+me": 1},
            "1g.10gb x 7 + 1g.10gb+me x 1 needs 8 of 7 compute slices",
        ),
        (
            A30,
            {"1g.6gb+me": 1, "2g.12gb+me": 1},
            "1g.6gb+me x 1 + 2g.12gb+me x 1 needs 2 of 1 media engines",
        ),
        (
            RTX_PRO_6000,
            {"1g.24gb+me.all": 1, "1g.24gb": 1},
            "1g.24gb+me.all x 1 + 1g.24gb x 1 needs 5 of 4 media engines",
        ),
        (
            A100_80,
            {"2g.20gb": 3, "1g.20gb": 1, "1g.10gb": 1},
            "2g.20gb x 3 + 1g.20gb x 1 + 1g.10gb x 1 needs 8 of 7 compute slices",
        ),
    ],
)
def test_a_layout_that_does_not_fit_is_answered_with_the_reason(
    geometry: MigGeometry, layout: dict[str, int], problem: str
) -> None:
    assert geometry.problem(layout) == problem


def test_a_layout_can_fit_by_its_sums_and_have_no_placement() -> None:
    geometry = MigGeometry(
        compute_slices=7,
        memory_slices=8,
        profiles=(
            MigProfile("4g", compute_slices=4, memory_slices=4, starts=(0,), max_count=1),
            MigProfile("1g", compute_slices=1, memory_slices=1, starts=(0, 1, 2, 3), max_count=3),
        ),
    )
    assert geometry.problem({"4g": 1, "1g": 2}) == (
        "4g x 1 + 1g x 2 fits by its sums, but has no placement on 8 memory slices: "
        "4g starts at 0; 1g starts at 0, 1, 2, 3"
    )


def test_the_resource_suffix_has_a_dot_for_a_plus() -> None:
    suffixes = {profile.name: profile.resource_suffix for profile in RTX_PRO_6000.profiles}
    assert suffixes == {
        "1g.24gb": "mig-1g.24gb",
        "1g.24gb+me": "mig-1g.24gb.me",
        "1g.24gb-me": "mig-1g.24gb-me",
        "1g.24gb+me.all": "mig-1g.24gb.me.all",
        "1g.24gb+gfx": "mig-1g.24gb.gfx",
        "2g.48gb": "mig-2g.48gb",
        "2g.48gb-me": "mig-2g.48gb-me",
        "2g.48gb+me.all": "mig-2g.48gb.me.all",
        "2g.48gb+gfx": "mig-2g.48gb.gfx",
        "4g.96gb": "mig-4g.96gb",
        "4g.96gb+gfx": "mig-4g.96gb.gfx",
    }


def test_asking_for_a_profile_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError, match=r"1g\.5gb"):
        A100_80.profile("1g.5gb")


def placements(profile: MigProfile, count: int) -> list[list[int]]:
    """Return every choice of starts, each as the list of occupied memory slices."""
    return [
        [start + offset for start in starts for offset in range(profile.memory_slices)]
        for starts in combinations(profile.starts, count)
    ]


def has_placement(geometry: MigGeometry, layout: dict[str, int]) -> bool:
    """Try every combination of starts, without the search that is tested."""
    choices = (placements(geometry.profile(name), count) for name, count in layout.items())
    for choice in product(*choices):
        slices = [memory_slice for occupied in choice for memory_slice in occupied]
        if len(slices) == len(set(slices)) and max(slices) < geometry.memory_slices:
            return True
    return False


def fits_by_sums(geometry: MigGeometry, layout: dict[str, int]) -> bool:
    cut = [geometry.profile(name) for name, count in layout.items() for _ in range(count)]
    return (
        all(count <= geometry.profile(name).max_count for name, count in layout.items())
        and sum(profile.compute_slices for profile in cut) <= geometry.compute_slices
        and sum(profile.media_engines for profile in cut) <= geometry.media_engines
    )


@st.composite
def geometries_with_layouts(draw: st.DrawFn) -> tuple[MigGeometry, dict[str, int]]:
    geometry = draw(st.sampled_from([model.mig for model in MODELS if model.mig]))
    profiles = draw(st.lists(st.sampled_from(geometry.profiles), min_size=1, unique=True))
    return geometry, {
        profile.name: draw(st.integers(1, profile.max_count)) for profile in profiles[:4]
    }


@settings(deadline=None)
@given(geometries_with_layouts())
def test_a_layout_is_accepted_exactly_when_it_fits_and_a_placement_exists(
    case: tuple[MigGeometry, dict[str, int]],
) -> None:
    geometry, layout = case
    accepted = geometry.problem(layout) is None
    assert accepted == (fits_by_sums(geometry, layout) and has_placement(geometry, layout))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_each_profile_fits_its_most_times_and_not_once_more(model: GpuModel) -> None:
    assert model.mig is not None
    for profile in model.mig.profiles:
        assert model.mig.problem({profile.name: profile.max_count}) is None
        assert model.mig.problem({profile.name: profile.max_count + 1}) == (
            f"{profile.name} x {profile.max_count + 1} is out of bounds; "
            f"allowed: 1 to {profile.max_count}"
        )


def mig_parted_entries() -> list[dict[str, Any]]:
    mirror = os.environ.get("GPUPLANE_MIRROR")
    if mirror is None:
        pytest.skip("GPUPLANE_MIRROR does not name a folder with upstream data")
    file = Path(mirror) / "data" / "mig-parted-config-default.yaml"
    if not file.is_file():
        pytest.skip(f"{file} is not there")
    configs = yaml.safe_load(file.read_text(encoding="utf-8"))["mig-configs"]
    return [entry for entries in configs.values() for entry in entries if entry.get("mig-devices")]


def filtered_models(entry: dict[str, Any]) -> list[GpuModel]:
    """Return the models that an entry is for; without a filter, those that have its profiles."""
    if (devices := entry.get("device-filter")) is not None:
        identifiers = [devices] if isinstance(devices, str) else devices
        found = (BY_PCI_DEVICE.get(each[2:6].lower()) for each in identifiers)
        return [model for model in found if model]
    wanted = set(entry["mig-devices"])
    return [
        model
        for model in MODELS
        if model.mig and wanted <= {profile.name for profile in model.mig.profiles}
    ]


def test_the_layouts_of_mig_parted_fit_our_models() -> None:
    for entry in mig_parted_entries():
        layout, models = entry["mig-devices"], filtered_models(entry)
        assert models, f"no model knows {layout}"
        problems = {model.name: model.mig.problem(layout) for model in models if model.mig}
        assert problems == dict.fromkeys(problems)


def test_the_counts_of_mig_parted_are_our_most() -> None:
    for entry in mig_parted_entries():
        if len(entry["mig-devices"]) > 1:
            continue
        ((name, count),) = entry["mig-devices"].items()
        ours = {model.mig.profile(name).max_count for model in filtered_models(entry) if model.mig}
        assert (name, ours) == (name, {count})
