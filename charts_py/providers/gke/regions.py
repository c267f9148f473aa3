"""The regions of Google Cloud, and their zones.

https://cloud.google.com/compute/docs/regions-zones
"""

REGIONS = (
    "africa-south1",
    "asia-east1",
    "asia-east2",
    "asia-northeast1",
    "asia-northeast2",
    "asia-northeast3",
    "asia-south1",
    "asia-south2",
    "asia-southeast1",
    "asia-southeast2",
    "asia-southeast3",
    "australia-southeast1",
    "australia-southeast2",
    "europe-central2",
    "europe-north1",
    "europe-north2",
    "europe-southwest1",
    "europe-west1",
    "europe-west10",
    "europe-west12",
    "europe-west2",
    "europe-west3",
    "europe-west4",
    "europe-west6",
    "europe-west8",
    "europe-west9",
    "me-central1",
    "me-central2",
    "me-west1",
    "northamerica-northeast1",
    "northamerica-northeast2",
    "northamerica-south1",
    "southamerica-east1",
    "southamerica-west1",
    "us-central1",
    "us-east1",
    "us-east4",
    "us-east5",
    "us-south1",
    "us-west1",
    "us-west2",
    "us-west3",
    "us-west4",
)
"""Those known, of which the nearest to a misspelt one is named; there will be more."""

_AREAS = "(africa|asia|australia|europe|me|northamerica|southamerica|us)"
_DIRECTIONS = "(central|north|northeast|northwest|east|south|southeast|southwest|west)"

REGION_PATTERN = f"{_AREAS}-{_DIRECTIONS}[1-9][0-9]?"

ZONE_PATTERN = "{region}-(ai[1-9])?[a-f]"
"""Those of `ai` hold accelerators alone:
https://cloud.google.com/compute/docs/regions-zones/ai-zones"""
