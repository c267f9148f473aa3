"""Labels that name the team of a namespace or pod, and who pays for it."""

import hashlib
import re

from charts_py.platform.platform import TeamNamespace
from gpus.label_value import MAX_LABEL_VALUE
from gpus.platform_names import COST_CENTER, PROJECT, TEAM

_DIGEST_LENGTH = 8


def team_labels(namespace: TeamNamespace) -> dict[str, str]:
    """Return the labels that namespace and pods have in common."""
    return {
        TEAM: namespace.team_name,
        COST_CENTER: namespace.team.cost_center,
        PROJECT: namespace.team.project or namespace.team_name,
    }


def owner_label(mail_address: str) -> str:
    """Return a mail address as a label value, such as `ml_at_example.com`.

    An address that is too long, or has characters that label values do not allow, ends in a digest
    of it, so that two addresses never become one.
    """
    replaced = mail_address.replace("@", "_at_")
    cleaned = re.sub(r"[^A-Za-z0-9_.-]", "_", replaced).strip("_.-")
    if cleaned == replaced and len(cleaned) <= MAX_LABEL_VALUE:
        return cleaned
    digest = hashlib.sha256(mail_address.encode()).hexdigest()[:_DIGEST_LENGTH]
    return f"{cleaned[: MAX_LABEL_VALUE - _DIGEST_LENGTH - 1]}-{digest}"
