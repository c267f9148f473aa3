// KEDA's HTTP add-on, which is built in a copy of its source, with what its own go.mod pins; see
// ../http_add_on.py. `go get` raises its version; `go mod tidy` would find that nothing needs it.
module gpuplane/tests/binaries/http_add_on

go 1.26.0

require (
	github.com/kedacore/http-add-on v0.15.0
)
