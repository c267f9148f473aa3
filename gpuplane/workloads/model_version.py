"""A version of a model in the registry, and how it is named: as MLflow does.

https://mlflow.org/docs/latest/ml/model-registry/workflow
"""

import re
from dataclasses import dataclass

REGISTERED = "models:"
"""The scheme of models in a registry."""
_REFERENCE = re.compile(
    r"models:/(?P<name>\w(?:[\w-]|\.(?!\.))*)(?:@(?P<alias>[\w-]+)|/(?P<number>[1-9][0-9]*))"
    r"(?P<folder>(?:/[\w.=-]+)*)/?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class ModelReference:
    """A version by its number, or by an alias that names one and may name another tomorrow."""

    name: str
    alias: str
    """Empty where there is a number."""
    number: str
    folder: str
    """A folder of its files, behind a slash; empty for all of them."""

    def __str__(self) -> str:
        version = f"@{self.alias}" if self.alias else f"/{self.number}"
        return f"models:/{self.name}{version}{self.folder}"


@dataclass(frozen=True, slots=True)
class ModelVersion:
    reference: ModelReference
    number: str
    source: str
    """Where its files are, as `gpuplane new llm --weights` takes it."""


def read_reference(text: str) -> ModelReference | None:
    """Return what a text names; None where it is no model of a registry."""
    found = _REFERENCE.fullmatch(text)
    if found is None:
        return None
    return ModelReference(
        found["name"], found["alias"] or "", found["number"] or "", found["folder"]
    )
