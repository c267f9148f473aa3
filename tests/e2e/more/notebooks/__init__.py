"""Notebooks that KubeSpawner starts, as the chart of JupyterHub has it do."""
