"""Settings of the admission webhook that contradict each other."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.spec.fault import Problem


def check_webhook(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where there would be fewer replicas at most than at least."""
    replicas = draft.cluster.webhook.replicas
    if replicas.min > replicas.max:
        path = ("webhook", "replicas", "min")
        yield Problem(path, f"{replicas.min} is above the maximum", f"at most {replicas.max}")
