"""Google's GKE: node pools by Config Connector, or classes of machines."""
