"""Requirements on nodes, in the format of Karpenter's kinds."""


def requirement(key: str, *values: str) -> dict[str, object]:
    """Return the requirement that a node's label has one of the values."""
    return {"key": key, "operator": "In", "values": list(values)}
