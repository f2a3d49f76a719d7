# What people and the machines that check both call.
#   make run      set up, and start the companion with its page
#   make test     set up, and pass the tests
#   make check    format, lint, types, import directions, docs against code
#   make prove    the long proofs: every show, the random presses, the kills
#   make bugs     plant bugs on purpose, one at a time: each must turn a test red
#   make bench    speed and size, as medians
#   make wheel    the wheel, in dist/

PYTHON ?= python3
VENV ?= .venv
PIP = $(VENV)/bin/python -m pip --disable-pip-version-check -q
# On a Pi the drivers come too, and the system's python3-lgpio is to be seen.
ON_PI := $(shell grep -qs 'Raspberry Pi' /proc/device-tree/model && echo yes)
EXTRAS := $(if $(ON_PI),pi,)
VENV_FLAGS := $(if $(ON_PI),--system-site-packages,)
COMMA := ,

.PHONY: run test check prove bugs bench wheel clean

run: $(VENV)/.installed
	@exec $(VENV)/bin/cribpi run $(ARGS)

test: $(VENV)/.workshop
	$(VENV)/bin/python -m pytest -q $(ARGS)

check: $(VENV)/.workshop
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/python -m pytest -q tests/house

prove: $(VENV)/.workshop
	$(VENV)/bin/python -m pytest -q --prove -m prove --timeout=7200 $(ARGS)

bugs: $(VENV)/.workshop
	PYTHONPATH=tests $(VENV)/bin/python tests/bugs/plant.py $(ARGS)

bench: $(VENV)/.workshop
	PYTHONPATH=tests $(VENV)/bin/python tests/bench/bench.py $(ARGS)

wheel: $(VENV)/.workshop
	$(VENV)/bin/python -m hatchling build -t wheel -d dist

clean:
	rm -rf $(VENV) dist build *.egg-info

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV_FLAGS) $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.$(if $(EXTRAS),[$(EXTRAS)],)'
	@touch $@

$(VENV)/.workshop: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[dev$(if $(EXTRAS),$(COMMA)$(EXTRAS),)]'
	@touch $@ $(VENV)/.installed
