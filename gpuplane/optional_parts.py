"""What an installation of gpuplane without extras leaves out, and how to add it."""

_EXTRAS = {"mcp": "mcp", "serve": "webhook"}
"""The extra of each command that needs another one than rendering does."""

_EXTRA_OF_PACKAGE = {"kubernetes": "cluster"}
"""The extra of a package that only some uses of a command need."""

_OWN = ("charts_py", "culling", "gpuplane", "gpus", "policies", "upstream", "webhook")
"""gpuplane's own packages, of which the webhook's image leaves out some."""

_DEVELOPMENT = ("kubernetes_validate",)
"""Packages that only gpuplane's own repository installs."""


def how_to_install(command: str, error: ModuleNotFoundError) -> str | None:
    """Return one line that says what a command lacks, and what installs it.

    None for a module that is missing from a package of gpuplane's own: no package brings that.
    """
    package, _, module = (error.name or "").partition(".")
    if not package or (package in _OWN and module):
        return None
    if package in _OWN:
        return _line(command, "what the webhook's image leaves out")
    if package in _DEVELOPMENT:
        return f"gpuplane {command}: needs {package}; `make lint` in gpuplane's repository has it"
    extra = _EXTRA_OF_PACKAGE.get(package)
    return _line(command, f"the Python package {package}", extra)


def _line(command: str, missing: str, extra: str | None = None) -> str:
    extra = extra or _EXTRAS.get(command, "render")
    # Not from an index by its name, which anybody could publish there.
    return (
        f"gpuplane {command}: needs {missing}; to install it: pip install 'SOURCE[{extra}]', "
        "where SOURCE is the wheel or checkout that gpuplane was installed from"
    )
