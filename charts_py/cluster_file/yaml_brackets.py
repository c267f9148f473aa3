"""Brackets, braces and quotes: explaining what is not closed, and what is closed too early."""

from charts_py.cluster_file.yaml_explanation import QUOTES, Explanation, shown
from charts_py.cluster_file.yaml_stop import Stop, place_of

_CLOSING = {"[": "]", "{": "}"}


def open_quote(stop: Stop) -> Explanation:
    """Explain a quote that is never closed."""
    quote = stop.text[stop.began.index]
    return Explanation(stop.began, f"the quote {quote} is not closed", f"a second {quote}")


def behind_value(stop: Stop) -> Explanation | None:
    """Explain text on the same line as a value that has ended."""
    rest = stop.rest.strip()
    if (quoted := stop.quoted()) is not None:
        opened, quote = place_of(quoted.start_mark), stop.text[quoted.start_mark.index]
        if opened.line < stop.place.line:
            what = f"the quote {quote} is closed only on line {stop.place.line + 1}"
            return Explanation(opened, what, f"a second {quote} at the end of the value")
        return Explanation(stop.place, f"{shown(rest)} after the closing {quote}", QUOTES)
    what = f"{shown(rest)} after the value has ended"
    return without_opening(stop) or Explanation(stop.place, what)


def without_opening(stop: Stop) -> Explanation | None:
    """Explain a bracket or a brace that closes nothing."""
    found = stop.rest[:1]
    opening = next((key for key, closing in _CLOSING.items() if closing == found), None)
    return None if opening is None else Explanation(stop.place, f'"{found}" without "{opening}"')


def flow(stop: Stop) -> Explanation | None:
    """Explain what is wrong within brackets or braces."""
    opened = stop.bracket()
    if opened is None:
        return without_opening(stop)
    opening, found = stop.text[opened.index], stop.rest[:1]
    closing = _CLOSING[opening]
    if found in _CLOSING.values() and found != closing:
        what = f'"{found}" closes the "{opening}" of line {opened.line + 1}'
        return Explanation(stop.place, what, f'"{closing}"')
    if stop.place.line > opened.line or not stop.rest.strip():
        before = f" before line {stop.place.line + 1}" if stop.line.strip() else ""
        return Explanation(opened, f'"{opening}" is not closed{before}', f'"{closing}"')
    what = f'{shown(stop.rest.strip())} in the "{opening}" of column {opened.column + 1}'
    return Explanation(stop.place, what, f'"," or "{closing}" before it')
