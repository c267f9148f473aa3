"""The command line, as it is installed beside this Python."""

from __future__ import annotations

import sys
from pathlib import Path

GPUPLANE = Path(sys.executable).parent / "gpuplane"
