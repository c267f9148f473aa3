"""What clusters share, as records tell it apart."""

from charts_py.cluster_file.source import source_of
from gpuplane.versions.shared_fields import shared_fields


def test_each_field_but_the_rules_of_promotion_has_a_digest_that_comments_do_not_change() -> None:
    first = shared_fields(source_of(b"a: {x: 1, y: 2}\nb: 1\npromotion: {chain: [lab]}\n", "f"))
    second = shared_fields(source_of(b"# why\nb: 2\na: {y: 2, x: 1}\n", "f"))
    assert first.keys() == second.keys() == {"a", "b"}
    assert (first["a"] == second["a"], first["b"] == second["b"]) == (True, False)
