"""The documents of a YAML file as parts of its text."""

from itertools import pairwise

import yaml

BYTE_ORDER_MARK = "\ufeff"
"""With which some programs begin a file."""


def split_documents(text: str) -> list[str]:
    """Return the text of each document, with all that stands between it and the next one.

    What stands before the first belongs to it. Together they are the text.
    """
    # It has no place of its own, so that all others would be one too low.
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    text = text.removeprefix(mark)
    events = yaml.parse(text, Loader=yaml.CSafeLoader)
    starts = [
        event.start_mark.index
        for event in events
        if isinstance(event, yaml.DocumentStartEvent) and event.start_mark
    ]
    places = [0, *starts[1:], len(text)]
    first, *others = (text[start:end] for start, end in pairwise(places))
    return [mark + first, *others]
