"""How Kueue writes numbers down.

Its webhook rewrites a ClusterQueue, with every quantity in the canonical form of Kubernetes. Argo
CD takes any other form for a difference, and would apply the object again for ever.
https://github.com/kubernetes/apimachinery, pkg/api/resource/quantity.go
"""

_SUFFIXES = ("", "k", "M", "G", "T", "P", "E")
_STEP = 1000


def quantity(count: int) -> str:
    """Return a count that is not negative: 8 as `8`, 2000 as `2k`."""
    for suffix in _SUFFIXES[:-1]:
        if count == 0 or count % _STEP:
            return f"{count}{suffix}"
        count //= _STEP
    return f"{count}{_SUFFIXES[-1]}"
