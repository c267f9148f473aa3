"""The types of the fixtures that many of these tests take."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from charts_py.components.component import Component
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform

Load: TypeAlias = Callable[[str], Platform]
"""From an example's name, or from the text of a cluster file."""
Sample: TypeAlias = Callable[..., str]
"""From a sample's name, and pairs of what it says and what stands there instead, to its text."""
PlatformWith: TypeAlias = Callable[..., Platform]
FaultsOf: TypeAlias = Callable[..., str]
"""To the faults, line by line."""
DocumentsOf: TypeAlias = Callable[[Component], tuple[Document, ...]]
ObjectsOfAll: TypeAlias = Mapping[str, Mapping[str, tuple[Document, ...]]]
"""By the names of platforms, and of components."""
ObjectsOf: TypeAlias = Callable[[Platform], Mapping[str, Document]]
