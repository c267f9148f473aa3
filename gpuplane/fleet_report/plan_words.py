"""Words of the page for verdicts and layouts, and the commands that it names."""

import shlex

from gpuplane.plan.effect import Verdict
from gpuplane.versions.base import Base
from gpus.sharing import Sharing


def verdict_words(verdict: Verdict) -> str:
    return "refused in part" if verdict is Verdict.IMMUTABLE else verdict.word


def layout_words(sharing: Sharing) -> str:
    layout = " + ".join(f"{count} x {name}" for name, count in sharing.mig) or "whole GPUs"
    if sharing.replicas == 1:
        return layout
    way = f"MPS by {sharing.mps}" if sharing.mps > 1 else f"time-sliced by {sharing.replicas}"
    return f"{layout}, {way}" if sharing.mig else way


def plan_command(base: Base | None, cluster: str = "") -> str:
    names = (cluster,) if cluster else ()
    base_option = base.arguments if base else ()
    return shlex.join(("gpuplane", "plan", *names, *base_option))
