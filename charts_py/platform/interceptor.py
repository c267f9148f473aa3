"""KEDA's HTTP add-on: its interceptor, which holds requests, and its scaler, which counts them."""

KEDA_HTTP_ADD_ON = "keda-http-add-on"
"""Name of its component, its Application and its namespace."""
_CHART = "keda-add-ons-http"
INTERCEPTOR_SERVICE, INTERCEPTOR_PORT = f"{_CHART}-interceptor-proxy", 8080
SCALER_PORT = 9090
SCALER_ADDRESS = f"{_CHART}-external-scaler.{KEDA_HTTP_ADD_ON}:{SCALER_PORT}"
"""Where KEDA asks how many requests there are."""
ROUTE_GROUP = "http.keda.sh"
