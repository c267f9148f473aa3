"""Indentation, keys and items: explaining lines that do not fit to those above."""

from collections.abc import Sequence

from charts_py.cluster_file.counted import counted
from charts_py.cluster_file.yaml_brackets import behind_value
from charts_py.cluster_file.yaml_explanation import QUOTES, Explanation, shown
from charts_py.cluster_file.yaml_stop import Place, Stop, indentation_of


def tab(stop: Stop) -> Explanation:
    """Explain a tab where a line begins."""
    return Explanation(stop.place, "a tab in the indentation", "spaces")


def item(stop: Stop) -> Explanation:
    """Explain an item that does not begin its line."""
    what = "an item of a list on the line of something else"
    return Explanation(stop.place, what, '"- " on a line of its own, or [ ] around the list')


def second_colon(stop: Stop) -> Explanation:
    """Explain a colon where no key can be."""
    before, above = stop.line[: stop.place.column], stop.written_above()
    if ": " in before or above is None:
        what = f'a second ": " on the line, in the value {shown(_value(stop.line))}'
        return Explanation(stop.place, what, QUOTES)
    text = stop.line_at(above)
    if ": " not in text:
        return _without_colon(above, text)
    key = text.strip().partition(": ")[0].removeprefix("- ")
    what = f'indented below "{key}", which has the value {shown(_value(text))}'
    place = Place(stop.place.line, stop.indentation, stop.place.index)
    return Explanation(place, what, f"{_spaces(indentation_of(text))} as before {key}")


def _without_colon(line: int, text: str) -> Explanation:
    """Explain a line that should be a key and its value."""
    place = Place(line, indentation_of(text), 0)
    if ":" in text:
        return Explanation(place, f'no space after ":" in "{text.strip()}"', "key: value")
    return Explanation(place, f'no ":" in "{text.strip()}"', "key: value")


def simple_key(stop: Stop) -> Explanation:
    """Explain a key without a colon."""
    return _without_colon(stop.began.line, stop.line_at(stop.began.line))


def block(stop: Stop) -> Explanation | None:
    """Explain what ends a mapping or a list that is laid out by indentation."""
    if stop.line[: stop.place.column].strip():
        return behind_value(stop)
    indentations = stop.indentations()
    if not indentations:
        return None
    if stop.place.column not in indentations:
        what = f"indented by {_spaces(stop.place.column)}, as nothing above"
        return Explanation(stop.place, what, f"{_either(indentations)} spaces")
    if stop.rest.startswith("- "):
        return Explanation(stop.place, "an item of a list among keys", "key: value")
    return Explanation(stop.place, "a key among the items of a list", '"- " before each item')


def _value(line: str) -> str:
    return line.strip().partition(": ")[2].strip()


def _either(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last


def _spaces(count: int) -> str:
    return "no space" if count == 0 else counted(count, "space")
