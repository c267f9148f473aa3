"""What scales the services of teams that serve models."""

from charts_py.cluster_file.strict_model import StrictModel, added_later


class Keda(StrictModel):
    """KEDA, which scales services by what Prometheus knows of them; `{}` has it with defaults."""


class Serving(StrictModel):
    """What serves models, each part of which is installed where it is named."""

    keda: Keda | None = added_later(None)
    """KEDA (ScaledObject), which adds and removes replicas by their queues. It owns the API of
    external metrics, which a cluster has once: no adapter and no add-on of the cloud beside it."""
