"""The component jupyterhub."""
