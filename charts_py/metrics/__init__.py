"""The metrics that exporters emit: what alerts, rules and dashboards may read."""
