# Skillgauge: every task of the project. A fresh machine needs Python 3.11 or newer, make and git.
#
#   make demo     check and score the examples, in a fresh environment
#   make test     lint, formatting, types and tests
#   make help     the other targets

# The first interpreter that is new enough; set PYTHON to choose another.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo "$$python"; break; }; done)
UV ?= uv
PYTEST_ARGS ?=
BENCH_ARGS ?=
VSCODE_ARGS ?=
DIRECTIONS := $(wildcard scorer/skillgauge_scorer/directions/*/manifest.json)

VENV := .venv
BIN := $(VENV)/bin
NVIM_VENV := .venv-nvim
PIP_FLAGS := --quiet --disable-pip-version-check --no-input
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help demo test test-harnesses lint format bench docs nvim package test-vscode lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.cpu ## Check and score the example skills (exit status 0 although one has faults)
	@$(BIN)/skillgauge check examples/ || test $$? -eq 1
	@$(BIN)/skillgauge model install
	$(if $(DIRECTIONS),@$(BIN)/skillgauge score examples/)

# The model is fetched once, 89 MiB, into the user's own folder.
test: lint ## Run ruff, pyright and pytest
	@$(BIN)/skillgauge model install
	@$(BIN)/python -m pytest -q $(PYTEST_ARGS)

# Needs npm, and Docker's engine, or root to start one. The packages are 1.3 GB, the image 1.5 GB.
test-harnesses: $(VENV)/.dev ## Run the real agents, and write what they took into docs/harnesses.md
	@SKILLGAUGE_TEST_HARNESSES=1 SKILLGAUGE_WRITE_PAGE=1 \
		$(BIN)/python -m pytest -q tests/harnesses $(PYTEST_ARGS)

lint: $(VENV)/.dev ## Run ruff and pyright
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/pyright

format: $(VENV)/.dev ## Format and fix what ruff can fix
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

bench: $(VENV)/.dev ## Measure speed beside rivals; BENCH_ARGS="--only typing" for a part
	@$(BIN)/python tests/bench/run.py $(BENCH_ARGS)

docs: $(VENV)/.dev ## Write the generated pages anew
	@$(BIN)/python -m skillgauge.clients.page --write
	@$(BIN)/python -m skillgauge.docs

# The editor of the end-to-end tests; they run when SKILLGAUGE_NVIM names it.
nvim: $(NVIM_VENV)/.installed ## Install Neovim for the end-to-end tests into .venv-nvim

# Needs Node 20 or newer. The server's wheel and its pure-Python libraries go into the extension.
package: $(VENV)/.dev node_modules/.package-lock.json ## Pack the extension for VS Code
	@npm run --silent package

# Needs Chromium too; the editor itself is fetched once, with npm, into the user's cache.
test-vscode: package ## Test the extension, in a real VS Code too
	@npm run --silent check
	@npm run --silent test -- --test-reporter=dot
	@$(BIN)/skillgauge model install
	@node tests/e2e/vscode/run.mjs "$$(tests/e2e/vscode/install.sh)" $(VSCODE_ARGS)

# Needs uv on the PATH. Each file is held to the versions of the one before.
lock: ## Compile requirements/*.txt anew
	$(LOCK) pyproject.toml requirements/build.in -o requirements/runtime.txt
	$(LOCK) pyproject.toml --extra cpu requirements/build.in -c requirements/runtime.txt \
		-o requirements/cpu.txt
	$(LOCK) pyproject.toml --extra dev --extra cpu --extra lift requirements/build.in \
		-c requirements/cpu.txt -o requirements/dev.txt
	$(LOCK) requirements/e2e.in -o requirements/e2e.txt

clean: ## Remove environments, caches and build output
	rm -rf $(VENV) $(NVIM_VENV) node_modules client-vscode/dist out *.vsix build dist .pytest_cache .ruff_cache .hypothesis
	find server scorer tests -name __pycache__ -type d -prune -exec rm -rf {} +

# --- environments: a stamp file says what was installed last ------------------------------------

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements/runtime.txt pyproject.toml | $(BIN)/python
	$(BIN)/pip install $(PIP_FLAGS) --require-hashes -r requirements/runtime.txt
	$(BIN)/pip install $(PIP_FLAGS) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.cpu: requirements/cpu.txt $(VENV)/.runtime
	$(BIN)/pip install $(PIP_FLAGS) --require-hashes -r requirements/cpu.txt
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.runtime
	$(BIN)/pip install $(PIP_FLAGS) --require-hashes -r requirements/dev.txt
	@touch $@

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(NVIM_VENV)/.installed: requirements/e2e.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found." >&2; exit 1; }
	$(PYTHON) -m venv $(NVIM_VENV)
	$(NVIM_VENV)/bin/pip install $(PIP_FLAGS) --require-hashes -r requirements/e2e.txt
	@touch $@
