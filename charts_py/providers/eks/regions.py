"""The regions of AWS.

https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html
"""

REGIONS = (
    "af-south-1",
    "ap-east-1",
    "ap-east-2",
    "ap-northeast-1",
    "ap-northeast-2",
    "ap-northeast-3",
    "ap-south-1",
    "ap-south-2",
    "ap-southeast-1",
    "ap-southeast-2",
    "ap-southeast-3",
    "ap-southeast-4",
    "ap-southeast-5",
    "ap-southeast-6",
    "ap-southeast-7",
    "ca-central-1",
    "ca-west-1",
    "cn-north-1",
    "cn-northwest-1",
    "eu-central-1",
    "eu-central-2",
    "eu-north-1",
    "eu-south-1",
    "eu-south-2",
    "eu-west-1",
    "eu-west-2",
    "eu-west-3",
    "il-central-1",
    "me-central-1",
    "me-south-1",
    "mx-central-1",
    "sa-east-1",
    "us-east-1",
    "us-east-2",
    "us-gov-east-1",
    "us-gov-west-1",
    "us-west-1",
    "us-west-2",
)
"""Those known, of which the nearest to a misspelt one is named; there will be more."""

_AREAS = r"(af|ap|ca|cn|eu|eusc-de|il|me|mx|sa|us)(-gov|-iso[a-z]?)?"
_DIRECTIONS = "(central|north|northeast|northwest|east|south|southeast|southwest|west)"

REGION_PATTERN = f"{_AREAS}-{_DIRECTIONS}-[1-9]"

ZONE_PATTERN = "{region}[a-f]"
"""us-east-1 has six, no region more."""
