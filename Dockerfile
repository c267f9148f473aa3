# The admission webhook: policies and server, without cdk8s and Node.
#   docker build --tag registry.example.com/platform/gpuplane-webhook:0.1.0 .
# Pin the base by digest in your own registry; a tag can be moved.
ARG PYTHON=docker.io/library/python:3.14.7-slim-trixie

FROM ${PYTHON} AS build
COPY requirements/webhook.txt /requirements.txt
RUN python -m venv --without-pip /opt/gpuplane \
 && python -m pip --python /opt/gpuplane/bin/python install --no-cache-dir --no-compile \
      --disable-pip-version-check --require-hashes --only-binary :all: \
      --requirement /requirements.txt
COPY gpus /packages/gpus
COPY policies /packages/policies
COPY webhook /packages/webhook
COPY gpuplane /packages/gpuplane
# Compiled here, since the pod's root is read-only.
RUN cp -r /packages/. /opt/gpuplane/lib/python3.*/site-packages/ \
 && /opt/gpuplane/bin/python -m compileall -q -j 0 /opt/gpuplane/lib \
 && /opt/gpuplane/bin/python -I -m gpuplane serve --help > /dev/null

FROM ${PYTHON}
COPY LICENSE /usr/share/doc/gpuplane/LICENSE
COPY --from=build /opt/gpuplane /opt/gpuplane
USER 65532:65532
EXPOSE 10250
# -I: neither the environment nor the working directory says what is imported.
ENTRYPOINT ["/opt/gpuplane/bin/python", "-I", "-m", "gpuplane"]
CMD ["serve", "--help"]
