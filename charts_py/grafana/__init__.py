"""Dashboards of Grafana: what they consist of, and the JSON that it reads."""
