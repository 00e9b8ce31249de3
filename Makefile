# Everything a person or a machine does with this checkout. `make setup` costs nothing when nothing changed.
.PHONY: setup system bridge run test check faults chaos bench pictures lock
.DEFAULT_GOAL := setup

# The first Python that is new enough; the versions by name come after the machine's own choice.
PYTHON := $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && command -v $$python && break; done)
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
export PIP_DISABLE_PIP_VERSION_CHECK := 1

define NO_PYTHON
Missing on this machine: Python 3.11 or newer. Install with
  Debian or Ubuntu: sudo apt-get install python3 python3-venv
  Fedora: sudo dnf install python3.11
  macOS: brew install python@3.11
endef

ifeq ($(PYTHON),)
$(error $(NO_PYTHON))
endif

setup: .venv/casework.stamp

# What the machine must have, looked for first and each time; tests need a browser and PDF tools as well.
system:
	@$(PYTHON) casework/setup_system.py $(SYSTEM)
test faults chaos pictures: SYSTEM := --tests

# A half-made environment, or one whose Python is gone, has no stamp or no answer, and is made anew.
.venv/casework.stamp: requirements.lock pyproject.toml | system
	@$(BIN)/python -c pass 2>/dev/null || $(PYTHON) -m venv --clear .venv
	@echo "Installing Python packages"
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# The extra casework[bridge], the double-dummy solver: tests and measurements need it, nothing else does.
bridge: .venv/bridge.stamp

.venv/bridge.stamp: requirements-bridge.lock .venv/casework.stamp
	@echo "Installing the double-dummy solver"
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements-bridge.lock
	@touch $@

# exec, so that Ctrl-C and a signal to this process reach casework itself.
run: setup
	@exec $(BIN)/casework up --demo

# Arguments for pytest: make test ARGS="-k ruling"
test: setup bridge
	@$(PYTEST) -n 2 $(ARGS)

check: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(PYTEST) tests/architecture

# Every fault on every pair of database and broker where it makes sense; `make test` has each once.
faults: setup
	@$(PYTEST) tests/faults -n 2 --matrix $(ARGS)

# Three minutes at most, and it fails if fewer cases are filed; the kills are repeated with ARGS="--chaos-seed N".
chaos: setup
	@$(PYTEST) tests/faults/test_chaos.py --chaos-seconds 110 --chaos-cases 200 $(ARGS)

bench: setup bridge
	@$(PYTEST) tests/bench/bench_*.py -s

pictures: setup
	@$(BIN)/python -m tests.browser.pictures

# Takes newer packages within pyproject.toml's bounds only with ARGS=--upgrade. The extra's lock never differs from
# the other in a package that both name.
COMPILE = $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --quiet
lock: setup
	@$(COMPILE) --extra dev --output-file requirements.lock $(ARGS)
	@$(COMPILE) --extra bridge --constraint requirements.lock --output-file requirements-bridge.lock $(ARGS)
