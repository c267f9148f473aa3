"""The settings in force, read again whenever their file changes."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from policies.rules import RULES
from policies.settings_json import SettingsError, read_settings, settings_digest
from webhook.reloaded_files import ReloadError, read
from webhook.reviewer import Reviewer

if TYPE_CHECKING:
    from pathlib import Path

    from structlog.typing import FilteringBoundLogger

    from policies.settings import Settings
    from webhook.metrics import Metrics


def settings_in(contents: bytes, file: Path) -> Settings:
    """Return the settings that a file holds; raises ReloadError where it holds none."""
    try:
        return read_settings(contents)
    except SettingsError as error:
        hint = (
            f"; this webhook is gpuplane {version('gpuplane')}: if a newer one wrote the settings, "
            "update its image first"
        )
        raise ReloadError(file, f"{error}{hint if error.is_unknown else ''}") from error


class LiveSettings:
    """Holds the reviewer of the settings in force.

    A review takes the reviewer once, so it is judged by either the old settings or the new ones.
    """

    name = "settings"

    def __init__(self, file: Path, metrics: Metrics, log: FilteringBoundLogger) -> None:
        self.files = (file,)
        self._metrics = metrics
        self._log = log
        self._contents = b""
        self.reload()

    def reload(self) -> None:
        """Read the settings again; raises ReloadError, and then keeps those in force."""
        contents = read(*self.files)
        if contents == self._contents:
            return
        settings = settings_in(contents, *self.files)
        digest = settings_digest(settings)
        self.reviewer = Reviewer(settings)
        self._contents = contents
        rules = [rule.name for rule in RULES]
        self._metrics.loaded_settings(settings.cluster, digest, rules)
        self._log.info("settings loaded", cluster=settings.cluster, digest=digest)
