"""`gpuplane version`."""

import tomllib
from pathlib import Path

from tests.gpuplane.conftest import Run
