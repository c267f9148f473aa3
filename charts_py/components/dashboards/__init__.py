"""The component dashboards."""
