"""The component efa-device-plugin."""
