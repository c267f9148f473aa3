"""Dashboards of Grafana: what they consist of, and the JSON in which it reads them."""
