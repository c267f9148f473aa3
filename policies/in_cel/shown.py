"""Texts of a pod in messages, as `policies.document.shown` has them."""

from policies.document import MAX_LISTED, MAX_SHOWN_LENGTH


def shown(expression: str) -> str:
    """Return CEL for a string of the pod in a message: short."""
    kept = MAX_SHOWN_LENGTH - 3
    return (
        f"(size({expression}) <= {MAX_SHOWN_LENGTH} ? {expression}"
        f' : {expression}.substring(0, {kept}) + "...")'
    )


def listed(expression: str) -> str:
    """Return CEL for a list of strings of the pod in a message: a few, and how many more."""
    few = f"{expression}.map(one, {shown('one')})"
    return (
        f'(size({expression}) <= {MAX_LISTED} ? {few}.join(", ")'
        f' : {few}.filter(one, {few}.indexOf(one) < {MAX_LISTED}).join(", ")'
        f' + " and " + string(size({expression}) - {MAX_LISTED}) + " more")'
    )
