"""Lists that grow with a table, in the messages that tests expect."""

from gpus.catalog import load_catalog
from gpus.provider import Provider
from upstream.kubernetes_version import KubernetesVersion


def with_lists(text: str) -> str:
    """Return a text with the lists that it names.

    `<minors>` are the supported minors of Kubernetes, each quoted where that is quoted, and `<GPUs
    of GKE>` the GPU models that GKE has.
    """
    quoted = ", ".join(f'"{minor}"' for minor in KubernetesVersion)
    models = ", ".join(load_catalog().accelerators(Provider.GKE))
    return (
        text.replace('"<minors>"', quoted)
        .replace("<minors>", ", ".join(KubernetesVersion))
        .replace("<GPUs of GKE>", models)
    )
