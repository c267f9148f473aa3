"""Texts of a pod in messages, as `policies.document.shown` has them."""

from policies.document import MAX_SHOWN_LENGTH


def shown(expression: str) -> str:
    """Return CEL for a string of the pod in a message: short."""
    kept = MAX_SHOWN_LENGTH - 3
    return (
        f"(size({expression}) <= {MAX_SHOWN_LENGTH} ? {expression}"
        f' : {expression}.substring(0, {kept}) + "...")'
    )
