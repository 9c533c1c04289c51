# Every target is one line around the command line tool and installs what it needs.
.DEFAULT_GOAL := help
.PHONY: help
help: ## Show this help
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

XR ?=
.PHONY: render
render: ## Render all examples, or XR=FILE
	@bin/celld-stack render $(XR)

.PHONY: validate
validate: ## Validate everything of celld-stack, or XR=FILE
	@bin/celld-stack validate $(XR)

.PHONY: test
test: ## Run the tests
	@node scripts/run-tests.mjs

# Stores and pods take the time they take, so they are no part of make test.
.PHONY: test-fleet
test-fleet: ## Run bootstrap, and what the chart renders as a kubelet would, on real stores
	@node scripts/run-tests.mjs test/fleet/

REGISTRY ?=
BASE ?= assembled
.PHONY: build
build: ## Build packages, image and chart into _output, for REGISTRY=ghcr.io/hops-ops
	@bin/celld-stack build --registry "$(REGISTRY)" --base "$(BASE)"

.PHONY: publish
publish: build ## Build for REGISTRY=ghcr.io/hops-ops and push
	@bin/celld-stack push --registry "$(REGISTRY)"

.PHONY: test-stores
test-stores: ## Run bootstrap on real object stores (needs Go)
	@node scripts/test-stores.mjs

.PHONY: test-registry
test-registry: ## Push to a real registry and run real containers (Debian, root)
	@node scripts/test-registry.mjs

.PHONY: install-manifests
install-manifests: ## Print what installs the package from REGISTRY
	@bin/celld-stack install-manifests --registry "$(REGISTRY)"

.PHONY: check
check: ## Lint, types, freshness of generated files, tests
	@node scripts/check.mjs

.PHONY: format
format: ## Format the sources
	@node scripts/prepare.mjs && npx biome check --write .

.PHONY: schemas
schemas: ## Write schemas/kinds from CRDS=FOLDER and KUBERNETES=FILE
	@node scripts/generate-kinds.mjs "$(CRDS)" $(KUBERNETES)

.PHONY: e2e-packages
e2e-packages: ## Let Crossplane install what build makes, from a registry on loopback (needs Go, docker-registry, root)
	@node e2e/start.mjs packages

.PHONY: e2e
e2e: ## Drive stacks through their lives on a real control plane (needs Go; SCENARIO=name runs one)
	@node e2e/start.mjs run $(SCENARIO)
	@test -n "$(SCENARIO)" || node e2e/start.mjs oracle-api
	@test -n "$(SCENARIO)" || node e2e/start.mjs oracle-render

.PHONY: control-plane
control-plane: ## Keep a real control plane running to try stacks with kubectl (needs Go)
	@node e2e/start.mjs control-plane

.PHONY: oracle-api
oracle-api: ## Hold our schema rules against a real API server's dry-run (needs Go)
	@node e2e/start.mjs oracle-api

.PHONY: oracle-render
oracle-render: ## Hold our render against the official one with the real core (needs Go)
	@node e2e/start.mjs oracle-render

.PHONY: bench
bench: ## Measure the function beside one that does nothing; fails when a bar is missed (Linux)
	@node scripts/prepare.mjs && node build/bench/run-function.js
