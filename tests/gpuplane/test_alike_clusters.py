"""Clusters of which the same is told but for their names."""

import pytest

from gpuplane.alike_clusters import alike, names_of, same_holds, told_once


def test_texts_that_differ_by_the_names_of_their_clusters_are_told_once() -> None:
    texts = {name: f"{name}: 8 of {name}/h200" for name in "ab"}
    texts |= {"c": "c: 9 of c/h200", "": "d: 8 of d/h200"}
    told = [(cluster, text, text) for cluster, text in texts.items()]
    assert [*alike(told)] == [
        ("a: 8 of a/h200", ("b",)),
        ("c: 9 of c/h200", ()),
        ("d: 8 of d/h200", ()),
    ]


def test_a_clause_that_holds_of_several_clusters_names_the_others_behind_it() -> None:
    told = [(name, f"{name} warns of pods") for name in "abcdefgh"] + [("i", "i refuses pods")]
    assert [*told_once(told)] == ["a warns of pods (the same on b, c and 5 more)", "i refuses pods"]


@pytest.mark.parametrize(
    ("clusters", "named"),
    [
        (["inference", "mixed"], "inference, mixed"),
        (["a", "b", "c", "d", "e"], "a, b, c, d, e"),
        (["inference", "mixed", *"abcd"], "inference, mixed and 4 more"),
    ],
)
def test_of_more_than_five_clusters_two_are_named(clusters: list[str], named: str) -> None:
    assert names_of(clusters) == named
    assert same_holds(clusters) == (f"The same holds for {len(clusters)} more clusters: {named}.")
