"""The configuration of a monitor that sets one condition by what a script answers.

https://github.com/kubernetes/node-problem-detector/blob/v1.35.1/docs/custom_plugin_monitor.md
"""

import json
from collections.abc import Mapping
from typing import Any


def custom_plugin(
    source: str, timeout: str, condition: Mapping[str, str], rule: Mapping[str, Any]
) -> str:
    """Return the configuration as JSON; `condition` is how it stands while nothing is wrong."""
    plugin = {
        "invoke_interval": "10s",
        "timeout": timeout,
        "max_output_length": 200,
        "concurrency": 1,
        "enable_message_change_based_condition_update": True,
        # The first status would be False, that is well, before anything was looked at.
        "skip_initial_status": True,
    }
    document = {
        "plugin": "custom",
        "pluginConfig": plugin,
        "source": source,
        "conditions": [condition],
        "rules": [rule],
    }
    return json.dumps(document, indent=2) + "\n"
