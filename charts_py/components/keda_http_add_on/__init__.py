"""The component keda-http-add-on."""
