"""Weights of models that the disks of nodes keep."""

from typing import Annotated

from pydantic import Field

from charts_py.cluster_file.model_source import ModelSource
from charts_py.cluster_file.quantity import PositiveQuantity
from charts_py.cluster_file.strict_model import StrictModel, Unique
from charts_py.cluster_file.text_forms import Destination, NamespaceName


class CachedModel(StrictModel):
    """A model whose weights every node of some pools keeps."""

    source: ModelSource
    """Where nodes download it: a bucket, or a repository of Hugging Face. It does not change: give
    other weights another name."""
    size: PositiveQuantity
    """The most that it may take of a disk; what is larger is not kept."""
    pools: Annotated[tuple[str, ...], Unique()] = Field(min_length=1, examples=[["h100"]])
    """Pools whose nodes keep it."""
    namespaces: Annotated[tuple[NamespaceName, ...], Unique()] = Field(
        min_length=1, examples=[["assistants-serving"]]
    )
    """Namespaces of teams whose pods may read it, each with GPUs of one of these pools."""


class NodeCache(StrictModel):
    """Models by their names, which `gpuplane new llm --weights cache://NAME` takes."""

    models: dict[str, CachedModel] = Field(min_length=1)
    """The models that nodes keep."""
    egress: Annotated[tuple[Destination, ...], Unique()] = ()
    """CIDRs that nodes download from over TLS, as `egress` of a namespace of a team."""
