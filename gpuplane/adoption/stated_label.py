"""What labels and annotations say, under any prefix that an organization gives them."""

from collections.abc import Collection, Mapping

from gpuplane.adoption.commented import Commented, note
from gpus.platform_names import LABEL_PREFIX

_WORDS: Mapping[str, tuple[str, ...]] = {
    "team": ("team",),
    "owner": ("owner",),
    "costCenter": ("cost-center", "costcenter", "cost-centre", "cost_center", "costCenter"),
    "project": ("project",),
    "purpose": ("purpose", "workload", "workload-type"),
}
"""The last part of the keys that state a field, such as `example.com/cost-center`."""


def stated(
    labels: Mapping[str, str], field: str, allowed: Collection[str] | None = None
) -> Commented:
    """Return the value of the label that states a field, or why there is none.

    Labels of gpuplane count alone where there are some; others count where they say the same.
    """
    found = {key: labels[key] for key in keys_of(labels, field)}
    own = {key: value for key, value in found.items() if key.startswith(f"{LABEL_PREFIX}/")}
    usable = {key: one for key, one in (own or found).items() if not allowed or one in allowed}
    if len(set(usable.values())) == 1:
        key, value = next(iter(usable.items()))
        return Commented(value, f"label {key}")
    choices = f"; choose one of {', '.join(allowed)}" if allowed else "; set it"
    if usable:
        shown = ", ".join(f"{key}={value}" for key, value in usable.items())
        return note(f"{field}: labels differ, {shown}{choices}")
    return note(f"{field}: no label tells it{choices}")


def keys_of(labels: Mapping[str, str], field: str) -> list[str]:
    """Return the keys of labels that state a field, sorted."""
    return sorted(key for key in labels if key.rpartition("/")[2] in _WORDS[field])
