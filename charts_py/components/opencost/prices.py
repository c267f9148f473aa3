"""The prices by which OpenCost counts, as the file that its CSV provider reads.

https://github.com/opencost/opencost, pkg/cloud/provider/csvprovider.go at 3eb88989.
"""

import csv
import io

from charts_py.platform.platform import Platform
from gpus.platform_names import POOL

PRICES_FILE = "prices.csv"
_NODE = "node"
_LABEL_FIELD = f"metadata.labels.{POOL}"
"""The field of a node that names its row."""


def prices_csv(platform: Platform) -> str:
    """Return what a node of each pool costs an hour, of those whose price is known.

    The columns are EndTimestamp, InstanceID, Region, AssetClass, InstanceIDField, InstanceType,
    MarketPriceHourly and Version. There is no header: a row whose class is not known is taken for a
    node's. Nodes that no row names are priced by their region and instance type, where a row has
    the same; no node can have the type of a row, since it is not a valid value of a label.
    """
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    for pool in platform.pools:
        price = platform.price_of(pool)
        if price is not None:
            no_type = f"{POOL}={pool.name}"
            hour = f"{price.node_hour:.6f}"
            rows.writerow(("", pool.name, "", _NODE, _LABEL_FIELD, no_type, hour, ""))
    return file.getvalue()
