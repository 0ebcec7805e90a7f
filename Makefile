# Two commands on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo run test test-slow lint bench screenshots catalog clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,bench]'
	@touch $@

demo: $(VENV)/.installed
	$(BIN)/python -m bot demo

run: $(VENV)/.installed
	$(BIN)/python -m bot run

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -n 3

test-slow: $(VENV)/.installed
	$(BIN)/pytest -m slow

bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks

screenshots: $(VENV)/.installed
	$(BIN)/python -m tools.screenshots

catalog: $(VENV)/.installed
	$(BIN)/python -m tools.catalog

clean:
	rm -rf $(VENV) build dist
