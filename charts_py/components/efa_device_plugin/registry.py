"""The registries of AWS that images for EKS are pulled from, one a region.

https://docs.aws.amazon.com/eks/latest/userguide/add-ons-images.html, and `EKSResourceAccountID` in
https://github.com/eksctl-io/eksctl (pkg/apis/eksctl.io/v1alpha5/types.go, v0.230.0)
"""

from collections.abc import Mapping

_ACCOUNT = "602401143452"
"""Of every region that has none of its own."""

_ACCOUNTS: Mapping[str, str] = {
    "af-south-1": "877085696533",
    "ap-east-1": "800184023465",
    "ap-east-2": "533267051163",
    "ap-south-2": "900889452093",
    "ap-southeast-3": "296578399912",
    "ap-southeast-4": "491585149902",
    "ap-southeast-5": "151610086707",
    "ap-southeast-6": "333609536671",
    "ap-southeast-7": "121268973566",
    "ca-west-1": "761377655185",
    "cn-north-1": "918309763551",
    "cn-northwest-1": "961992271922",
    "eu-central-2": "900612956339",
    "eu-south-1": "590381155156",
    "eu-south-2": "455263428931",
    "il-central-1": "066635153087",
    "me-central-1": "759879836304",
    "me-south-1": "558608220178",
    "mx-central-1": "730335286997",
    "us-gov-east-1": "151742754352",
    "us-gov-west-1": "013241004608",
}
"""By region."""


def registry(region: str) -> str:
    """Return the registry in a region of AWS' public, GovCloud and China partitions."""
    suffix = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    return f"{_ACCOUNTS.get(region, _ACCOUNT)}.dkr.ecr.{region}.{suffix}"
