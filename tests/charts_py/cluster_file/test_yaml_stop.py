import pytest
import yaml
from hypothesis import given, strategies as st

from charts_py.cluster_file.yaml_stop import MAX_DEPTH, TooDeep, most_levels, too_deep

_KEYS = "".join(f"{' ' * level}a:\n" for level in range(MAX_DEPTH))
_LISTS = "".join(f"{' ' * level}a:\n{' ' * level}-\n" for level in range(MAX_DEPTH // 2 + 1))


@pytest.mark.parametrize(
    ("text", "is_deep"),
    [
        (f"a: {'[' * (MAX_DEPTH + 1)}", True),
        (f"a: {'[' * (MAX_DEPTH - 2)}{']' * (MAX_DEPTH - 2)}", False),
        (f"{'- ' * (MAX_DEPTH + 1)}a", True),
        (f"{'? ' * (MAX_DEPTH + 1)}a", True),
        (f"{_KEYS}{' ' * MAX_DEPTH}b: c", True),
        (f"{_LISTS}{' ' * (MAX_DEPTH // 2 + 1)}b: c", True),
        ("a: {b: [c]}", False),
    ],
)
def test_every_way_to_nest_is_seen(text: str, *, is_deep: bool) -> None:
    assert (too_deep(text.encode()) is not None) is is_deep


@pytest.mark.parametrize(
    "head", ["\ufeff", "#\n", "#\n\ufeff", "#\r", "#\x85", "#\u2028", "#\u2029"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_every_way_to_begin_a_line_is_seen(head: str, encoding: str) -> None:
    deep = f"{head}{'- ' * (MAX_DEPTH + 2)}a"
    assert too_deep(deep.encode(encoding)) == TooDeep(line=1 + head.count("#"), document=1)


_NESTED = st.recursive(
    st.just("a"), lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.just("a"), inner)
)


@given(_NESTED, st.booleans(), st.booleans(), st.integers(1, 4))
def test_what_is_taken_for_shallow_is_never_deeper_than_it_may_be(
    value: object, flow: bool, indented: bool, indent: int
) -> None:
    """Of each text the bound is at least the depth that the parser finds."""
    text = yaml.dump(value, default_flow_style=flow, indent=indent if indented else None)
    depth = deepest = 0
    for event in yaml.parse(text):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        deepest = max(deepest, depth)
    assert most_levels(text.encode()) >= deepest
