"""Which gpuplane runs."""


def installed_version() -> str:
    """Return the version of gpuplane, wherever it is installed: the webhook's image, too."""
    from importlib.metadata import version

    return version("gpuplane")
