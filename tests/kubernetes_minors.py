"""The supported minor versions of Kubernetes in the messages that tests expect."""

from upstream.kubernetes_version import KubernetesVersion


def with_minors(text: str) -> str:
    """Return a text with `<minors>` as the list of them, each quoted where that is quoted."""
    quoted = ", ".join(f'"{minor}"' for minor in KubernetesVersion)
    return text.replace('"<minors>"', quoted).replace("<minors>", ", ".join(KubernetesVersion))
