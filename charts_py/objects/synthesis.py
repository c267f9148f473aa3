"""Running constructs in a cdk8s App and taking their documents out of it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from cdk8s import App
from constructs import Construct

from charts_py.objects.document import Document
from charts_py.objects.text_chart import TextChart


class Synthesis:
    """One cdk8s App; each component becomes a Chart of it."""

    def __init__(self) -> None:
        self._app = App()

    def documents(
        self, name: str, construct: Callable[[Construct], object]
    ) -> tuple[Document, ...]:
        """Run a construct in a Chart of its own and return the documents that it adds."""
        chart = TextChart(self._app, name, disable_resource_name_hashes=True)
        construct(chart)
        return tuple(_documents(chart.to_json()))


def _documents(emitted: list[Any]) -> Iterator[Document]:
    """Yield what cdk8s emitted, and what each text among that holds, read as cdk8s writes it."""
    for each in emitted:
        if isinstance(each, str):
            yield from json.loads(each, object_pairs_hook=_without_nulls, parse_float=_number)
        else:
            yield each


def _without_nulls(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    return {key: value for key, value in fields if value is not None}


def _number(text: str) -> float:
    """Return a number as JavaScript writes it: 1.0 as 1, and 1e21 with its exponent.

    https://tc39.es/ecma262/#sec-numeric-types-number-tostring
    """
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 1e21 else number
