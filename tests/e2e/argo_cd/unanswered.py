"""What of a chart nothing answers here, so that it is not served.

Kueue runs no process here: its pods are only reported to run. The API server would ask its webhooks
of each object in the namespaces of teams, and of each queue, and refuse it (`failurePolicy: Fail`);
and no namespace could be deleted as long as its visibility API does not answer. Kinds, controllers
and all other objects of the chart are served as they are.
"""

from collections.abc import Collection
from pathlib import Path

_CHART = "kueue"
_KINDS = ("APIService", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
_TEMPLATES = {
    "visibility": {"apiservice_v1beta1.yaml", "apiservice_v1beta2.yaml"},
    "webhook": {"manifests.yaml"},
}
"""Files of the chart that have these kinds, by the folder in its templates."""


def unanswered_templates(folder: str, names: Collection[str]) -> set[str]:
    """Return which of the files in a folder of charts are left out, as shutil.copytree asks."""
    path = Path(folder)
    if path.parts[-3:-1] != (_CHART, "templates"):
        return set()
    return _TEMPLATES.get(path.name, set()).intersection(names)


def is_unanswered(file: Path) -> bool:
    """Tell whether a rendered file, as `dist/training/1.4.0/kueue/Service.a.yaml`, is left out."""
    return file.parent.name == _CHART and file.name.partition(".")[0] in _KINDS
