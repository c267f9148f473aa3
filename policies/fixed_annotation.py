"""The annotation by which a pod says which rules have fixed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.platform_names import FIXED
from policies.annotation import annotate
from policies.document import text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.operation import Operation
    from policies.pod import Pod


def name_in_annotation(pod: Pod, rules: Iterable[str]) -> tuple[Operation, ...]:
    """Return the operation that names the rules, after those that are named already.

    None where the pod has no room for it.
    """
    before = text(pod.annotations.get(FIXED))
    names = [*(before.split(",") if before else ()), *rules]
    value = ",".join(dict.fromkeys(names))
    return annotate(pod, FIXED, value)
