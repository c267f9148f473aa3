import pytest

from charts_py.objects.fields import changed_fields
from gpuplane.plan.fields import is_below, leaves, segments_of, shared_path


@pytest.mark.parametrize(
    ("path", "segments"),
    [
        ("spec.weight", ("spec", "weight")),
        ("spec.containers[name=main].image", ("spec", "containers", "image")),
        ("spec.rules[0].labels", ("spec", "rules", "labels")),
        (
            'metadata.labels["nvidia.com/mig.config"]',
            ("metadata", "labels", "nvidia.com/mig.config"),
        ),
        ("spec.taints (order)", ("spec", "taints")),
        ("", ()),
    ],
)
def test_a_path_is_its_names_without_the_items_of_lists(
    path: str, segments: tuple[str, ...]
) -> None:
    assert segments_of(path) == segments


def test_what_is_on_one_side_only_is_taken_apart_and_says_where_it_was_stated() -> None:
    (change,) = changed_fields({"spec": {}}, {"spec": {"limits": {"nodes": 1, "cpu": 2}}})
    assert [(each.path, each.segments, each.declared_at, each.new) for each in leaves(change)] == [
        ("spec.limits.nodes", ("spec", "limits", "nodes"), ("spec", "limits"), 1),
        ("spec.limits.cpu", ("spec", "limits", "cpu"), ("spec", "limits"), 2),
    ]


def test_a_pattern_covers_what_is_in_it_and_a_star_is_any_name() -> None:
    assert is_below(("spec", "limits", "cpu"), ("spec", "limits"))
    assert is_below(("data", "a"), ("data", "*"))
    assert not is_below(("spec",), ("spec", "limits"))


@pytest.mark.parametrize(
    ("paths", "shared"),
    [
        ((), ""),
        (("a.b",), "a.b"),
        (("a.b.c", "a.b.d"), "a.b"),
        (("a[0].b", "a[1].b"), "a"),
        (('a["x.y"].b', 'a["x.y"].c'), 'a["x.y"]'),
        (("a", "b"), ""),
    ],
)
def test_several_paths_share_the_field_that_holds_them_all(
    paths: tuple[str, ...], shared: str
) -> None:
    assert shared_path(paths) == shared
