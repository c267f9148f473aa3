"""On-premises machines, as Node Feature Discovery finds them."""
