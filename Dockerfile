# The admission webhook: server and compiled policies, without cdk8s and Node.
#   docker build --tag registry.example.com/platform/gpuplane-webhook:0.1.0 .
# Pin both bases by digest in your own registry; a tag can be moved.
ARG COMPILER=docker.io/library/python:3.14.7-trixie
ARG PYTHON=docker.io/library/python:3.14.7-slim-trixie

FROM ${COMPILER} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_REQUIRE_HASHES=1 PIP_ONLY_BINARY=:all:
COPY gpuplane/new_repository/locks/webhook.txt /requirements/webhook.txt
COPY requirements/compile.txt /requirements/compile.txt
RUN python -m venv --without-pip /opt/gpuplane \
 && python -m pip --python /opt/gpuplane/bin/python install --no-compile \
      --requirement /requirements/webhook.txt \
 && python -m pip install --requirement /requirements/compile.txt
COPY pyproject.toml /source/pyproject.toml
COPY README.md /source/README.md
COPY LICENSE /source/LICENSE
COPY docs/lint-rules /source/docs/lint-rules
COPY docs/policies /source/docs/policies
COPY culling /source/culling
COPY gpus /source/gpus
COPY policies /source/policies
COPY repair /source/repair
COPY rounds /source/rounds
COPY webhook /source/webhook
COPY gpuplane /source/gpuplane
# Bytecode is compiled here too, since the pod's root is read-only.
RUN HATCH_BUILD_HOOKS_ENABLE=1 PIP_REQUIRE_HASHES=0 python -m pip wheel --no-deps \
      --no-build-isolation --wheel-dir /wheels /source \
 && PIP_REQUIRE_HASHES=0 python -m pip --python /opt/gpuplane/bin/python install --no-deps \
      --no-compile /wheels/*.whl \
 && rm -r /opt/gpuplane/lib/python3*/site-packages/charts_py \
 && /opt/gpuplane/bin/python -m compileall -q -j 0 /opt/gpuplane/lib \
 && /opt/gpuplane/bin/python -I -m gpuplane serve --help > /dev/null

FROM ${PYTHON}
COPY --from=build /opt/gpuplane /opt/gpuplane
USER 65532:65532
EXPOSE 10250
# -I: neither the environment nor the working directory affects what is imported.
ENTRYPOINT ["/opt/gpuplane/bin/python", "-I", "-m", "gpuplane"]
CMD ["serve", "--help"]
