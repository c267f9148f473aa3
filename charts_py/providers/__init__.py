"""What makes the nodes of each provider, one a file, behind `provisioner.NodeProvisioner`."""
