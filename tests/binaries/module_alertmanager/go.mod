// Alertmanager, which is built in a copy of its source, with what its own go.mod pins; see
// ../alertmanager.py. `go get` raises its version; `go mod tidy` would find that nothing needs it.
module gpuplane/tests/binaries/alertmanager

go 1.26.0

require (
	github.com/prometheus/alertmanager v0.34.2
)
