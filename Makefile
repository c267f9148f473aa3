# Needs Python 3.11 or newer and make; everything else sets itself up under .venv and .tools.
PYTHON ?= python3
BIN := .venv/bin
COMPILED := .tools/compiled
# The wheel's packages come before the sources, in subprocesses too.
WITH_COMPILED := PYTHONSAFEPATH=1 PYTHONPATH=$(COMPILED):. $(BIN)/python
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Where new repositories take them from, and the image of the webhook.
LOCKS := gpuplane/new_repository/locks
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header
# Installs a file of locked packages, then gpuplane as it stands here.
INSTALL = echo "installing the $$(grep -c '^[^ \#]*==' $(1)) packages of $(1) into .venv (about a minute)" \
 && $(PIP) install --require-hashes --requirement $(1) \
 && $(PIP) install --no-deps --no-build-isolation --editable .

.DEFAULT_GOAL := help
.PHONY: help synth validate test test-compiled e2e e2e-more fuzz lint format docs lock site demo bench-lint bench-synth bench-policies bench-webhook bench-apiserver bench-controllers soak-webhook bench-decisions wheel sbom clean

help: ## List the targets.
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

synth: .venv/render.stamp ## Render clusters/ into dist/.
	@$(BIN)/gpuplane synth

validate: .venv/dev.stamp ## Validate everything in dist/ with kubeconform.
	@$(BIN)/gpuplane validate

# Tests start many processes. Without bytecode, as images of containers often ask for, each of them
# compiles all that it imports.
# Those of servers wait more than they compute, so that there is one process more than processors.
test: .venv/dev.stamp .tools/binaries/.helm ## Run the tests.
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) \
	  --dist worksteal --ignore tests/e2e

test-compiled: $(COMPILED)/.stamp ## Run the tests of policies and webhook on the compiled rules.
	@$(WITH_COMPILED) -m pytest -q -n auto --dist worksteal --override-ini "pythonpath=$(COMPILED) ." \
	  tests/policies tests/webhook tests/corpus tests/examples/test_demo.py

e2e: .venv/dev.stamp ## Prove it on a real API server, scheduler and Argo CD.
	@$(BIN)/python -m pytest -q -n 2 --durations=15 -m e2e tests/e2e

e2e-more: .venv/dev.stamp ## Prove more before a release: Karpenter, and the oldest Kubernetes.
	@$(BIN)/python -m pytest -q -n 0 -m e2e_more tests/e2e

fuzz: .venv/dev.stamp ## Run the property tests on many new inputs.
	@HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -q -n auto --dist worksteal -m hypothesis

lint: .venv/dev.stamp ## Check style, types and layers.
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: .venv/dev.stamp ## Format the code.
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

docs: .venv/render.stamp ## Regenerate docs/reference/, docs/prerequisites.md and schemas/.
	@$(BIN)/python -m gpuplane.generated_files

site: .venv/docs.stamp ## Build the pages of docs/ as a site, in site/.
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "site/index.html"

demo: .venv/dev.stamp ## Serve the webhook on loopback and show what it does to examples/.
	@$(BIN)/python -m examples.demo

bench-policies: $(COMPILED)/.stamp ## Measure the rules, compiled and not.
	@$(BIN)/python -m benchmarks.policies
	@$(WITH_COMPILED) -m benchmarks.policies

bench-webhook: $(COMPILED)/.stamp ## Measure the webhook, as its image has it, beside a bare echo over TLS.
	@$(WITH_COMPILED) -m benchmarks.webhook

bench-apiserver: $(COMPILED)/.stamp ## Measure what the webhook adds to creates at an API server.
	@$(WITH_COMPILED) -m benchmarks.apiserver

bench-controllers: $(COMPILED)/.stamp ## Measure the memory of controllers on a cluster of 1,000 nodes; needs GPUPLANE_MIRROR.
	@$(WITH_COMPILED) -m benchmarks.controllers

soak-webhook: .venv/dev.stamp ## Post ten thousand hostile bodies to the webhook.
	@$(BIN)/python -m benchmarks.soak_webhook

bench-decisions: .venv/dev.stamp ## Compare the webhook and gpuplane admit on 10,000 pods a cluster.
	@$(BIN)/python -m benchmarks.decisions

bench-lint: .venv/dev.stamp ## Measure the linter beside ruff and kubeconform.
	@$(BIN)/python -m benchmarks.lint

bench-synth: .venv/dev.stamp ## Measure rendering: cold start, and fleets of 25, 50 and 100 clusters.
	@$(BIN)/python -m benchmarks.synth

lock: .venv/dev.stamp ## Lock the dependencies again.
	$(LOCK) pyproject.toml --all-extras --group build --group dev --output-file requirements/dev.txt
	$(LOCK) pyproject.toml --group build --constraint requirements/dev.txt --output-file requirements/render.txt
	$(LOCK) pyproject.toml --group build --group validate --constraint requirements/dev.txt --output-file $(LOCKS)/platform.txt
	$(LOCK) pyproject.toml --extra webhook --excludes requirements/not-served.in --constraint requirements/dev.txt --output-file $(LOCKS)/webhook.txt
	$(LOCK) --group build --group compile --constraint requirements/dev.txt --output-file requirements/compile.txt
	$(LOCK) --group release --output-file requirements/release.txt
	$(LOCK) --group docs --constraint requirements/dev.txt --output-file requirements/docs.txt

# The date that hatchling takes by itself, as `gpuplane init` has it do: whoever builds from the same
# sources gets the same bytes.
wheel: .venv/dev.stamp ## Build wheel and sdist into .tools/wheel, and print their digests.
	@rm -rf .tools/wheel
	@SOURCE_DATE_EPOCH=1580601600 $(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python --out-dir .tools/wheel
	@sha256sum .tools/wheel/gpuplane-*

sbom: wheel .tools/release/.stamp ## Write what the wheel needs into .tools/wheel, as CycloneDX.
	@.tools/release/bin/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible \
	  --output-file .tools/wheel/gpuplane-$$($(BIN)/gpuplane version).cdx.json $(LOCKS)/platform.txt

clean: ## Remove what the other targets set up.
	rm -rf .venv .tools site

.venv/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else f"gpuplane needs Python 3.11 or newer; $(PYTHON) is {v.major}.{v.minor}. Set PYTHON=python3.x.")'
	@echo "making .venv with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv .venv

.venv/render.stamp: requirements/render.txt pyproject.toml | .venv/bin/python
	@$(call INSTALL,requirements/render.txt)
	@touch $@

.venv/dev.stamp: requirements/dev.txt pyproject.toml | .venv/bin/python
	@$(call INSTALL,requirements/dev.txt)
	@touch $@ .venv/render.stamp

.tools/release/.stamp: requirements/release.txt
	$(PYTHON) -m venv --clear .tools/release
	.tools/release/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes --requirement $<
	@touch $@

.venv/docs.stamp: requirements/docs.txt | .venv/bin/python
	@echo "installing the packages of $< into .venv"
	@$(PIP) install --require-hashes --requirement requirements/docs.txt
	@touch $@

.tools/binaries/.helm: $(wildcard tests/binaries/module/go.*) | .venv/dev.stamp
	@$(BIN)/python -c 'from tests.binaries.pinned_program import HELM; HELM.build()'
	@touch $@

$(COMPILED)/.stamp: pyproject.toml $(wildcard gpus/* policies/*.py policies/*/*.py webhook/*.py webhook/http/*.py) | .venv/dev.stamp
	@echo "compiling the rules (about a minute)"
	@rm -rf $(COMPILED)
	@HATCH_BUILD_HOOKS_ENABLE=1 $(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python --out-dir $(COMPILED)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --target $(COMPILED) $(COMPILED)/*.whl
	@ls $(COMPILED)/policies/engine.*.so > /dev/null
	@touch $@
