# What people and the machines that check both call.
#   make run      set up, and start the companion with its page
#   make club     set up, and open the desk of a club night (ARGS=--trial: one that plays itself)
#   make test     set up, and pass the tests but the dear ones (DEAR=yes: all of them)
#   make check    format, lint, types, import directions, docs against code
#   make costs    pass all tests, and note which are dear (tests/costs.json): on a machine that does nothing else
#   make house    the rooms of cribpi/: lines, files, which imports which, circles
#   make prove    the long proofs: every show, the random presses, the kills; laws with thousands of examples
#   make constraints   the pins of constraints.txt and floors.txt, again, each with who asks for it (ARGS=--upgrade)
#   make floors   the oldest versions that pyproject.toml allows, and the tests that ask most of them
#   make cover    branch coverage, and which branches no test takes
#   make fresh    both commands of the README on a bare Debian (ARGS=--one-each: a case of each test); needs root
#   make bugs     plant bugs on purpose, one at a time: each must turn a test red
#   make mutants  change the game and its rules by a tool, one thing at a time: which changes does no test find?
#                 (ROOM=results: another room)
#   make bench    speed and size, as medians
#   make pictures   pictures of the page, beside those committed (ARGS=--keep: accept them; --evenings; --docs)
#   make docs     the pages as a site, in build/site/
#   make words    words and pictures by page, and sentences that sound translated (ARGS=3: those of the third kind)
#   make tables   the tables of the analysis, again: what players discard, keep and peg (cribpi/cribbage/analysis/data)
#   make drawings   the drawings of the kits, in hardware/kits/
#   make wheel    the wheel, in dist/
#   make bundle   one file, in dist/, that installs without network and compiler (ARCH=x86_64: not for a Pi)
#   make bundle-test  install from it where there is no network, in Debian roots; needs root
#   make image    a card image: Debian 13 for arm64, a Pi's firmware, and cribpi, in dist/; needs root
#   make image-test  boot that image in a virtual machine, and look at what its first start does; needs root
#   sudo make install    on a Pi: all that it needs, and the service (ARGS=--yes: with the boot settings;
#                        DESTDIR=folder: only its files, staged there)
#   sudo make phones     the same, and phones on your Wi-Fi may reach it; sudo make no-phones takes that back
#   sudo make uninstall  remove all of it but the games
#   make wheel-test   install the wheel by itself, and pass the tests that need no browser with it
#   make arm64    the same in an emulated Debian arm64, with the extra pi; needs root, takes an hour or two
#   make pi       play on a Pi in a virtual machine, down to the kernel (ARGS=panel: only that scenario); needs root
#   make pi-plugs   the same, and pull its plug twenty times

PYTHON ?= python3
VENV ?= .venv
PIP = $(VENV)/bin/python -m pip --disable-pip-version-check -q
# Of a Python's path: with pip, or with the uv at the path UV, which lays out the same in a tenth of the time.
install_with = $(if $(UV),$(UV) pip install -q --system-certs --python $(1),$(1) -m pip --disable-pip-version-check -q install)
INSTALL = $(call install_with,$(VENV)/bin/python)
# On a Pi the drivers come too, and the system's python3-lgpio is to be seen.
ON_PI := $(shell grep -qs 'Raspberry Pi' /proc/device-tree/model && echo yes)
EXTRAS := $(if $(ON_PI),pi,)
VENV_FLAGS := $(if $(ON_PI),--system-site-packages,)
COMMA := ,
# The Python part of rpi-ws281x: the tests run it over a stand-in for its C part, and fail if it is not there.
export CRIBPI_WS281X := $(abspath $(VENV))/rpi_ws281x
# What checks the types of the page's scripts, and makes those of the HTTP API; the tests ask it too.  npm brings it,
# and where there is no npm, no more is missing than those checks: the page itself needs neither.
NPM := $(shell command -v npm 2>/dev/null)
export CRIBPI_TSC := $(abspath $(VENV))/page-types/node_modules/typescript/bin/tsc
PAGE_TYPES := $(if $(NPM),$(VENV)/page-types/.installed,)

# How many tests run at the same time.
# Many tests wait for a clock or a disk: one more than there are processors keeps those busy.
JOBS ?= $(shell expr $$(nproc) + 1)
# Whoever is done takes over from the others: else one is left with the last hundred tests of a browser.
SIDE_BY_SIDE = -n $(JOBS) --dist worksteal

# Python as it is on most machines: it keeps what it has compiled, and `cribpi` starts in half the time.
unexport PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED
# The Python with which the wheel is installed and tested; it needs nothing else.
WHEEL_PYTHON ?= $(VENV)/bin/python

.PHONY: run club test costs check constraints floors house prove cover fresh bugs mutants bench pictures docs words tables endgame drawings wheel bundle bundle-test image image-test wheel-test arm64 pi pi-plugs install phones no-phones uninstall clean

run: $(VENV)/.installed
	@exec $(VENV)/bin/cribpi run $(ARGS)

club: $(VENV)/.club
	@exec $(VENV)/bin/cribpi club $(ARGS)

test: $(VENV)/.workshop
	$(VENV)/bin/python -m pytest -q $(SIDE_BY_SIDE) $(if $(DEAR),,-m 'not dear') $(ARGS)

costs: $(VENV)/.workshop
	$(VENV)/bin/python -m pytest -q $(SIDE_BY_SIDE) --costs keep $(ARGS)

# Docs against code, and the rooms; whoever passes all of them elsewhere leaves some out here.
ROOMS = tests/house
check: $(VENV)/.workshop $(PAGE_TYPES)
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(if $(NPM),node $(CRIBPI_TSC) -p tests/companion/web/types,@echo "The types of the page's scripts were not checked: npm is not installed.")
	$(VENV)/bin/python -m pytest -q $(ROOMS)

# uv alone resolves for every Python and processor at once, and for the oldest versions that are allowed.
RESOLVE = build/uv/bin/uv pip compile -q pyproject.toml --all-extras --universal --python-version 3.11 \
	--annotation-style line --custom-compile-command 'make constraints' $(ARGS)
constraints:
	$(PYTHON) -m venv build/uv
	build/uv/bin/python -m pip --disable-pip-version-check -q install 'uv>=0.9'
	$(RESOLVE) -o constraints.txt
	$(RESOLVE) --resolution lowest-direct -o floors.txt

# What each library does for us: the server, names on the network, a broker's messages, keys and glass, the log, the
# pages and the pairings of a club, drawings as PDF, arrays, and an environment for learning.
FLOORS = companion/web/test_door.py companion/web/test_uvicorn.py companion/web/phones/test_names.py \
	companion/mqtt/test_contract.py companion/devices/test_board.py companion/devices/test_keypad.py \
	companion/devices/test_oled.py \
	club/test_site.py club/test_pairings.py commands/test_draw.py cribbage/analysis/test_pegging.py \
	cribbage/api/test_environment.py
floors: $(VENV)-floors/.installed
	$(VENV)-floors/bin/python -m pytest -q -n $(JOBS) $(addprefix tests/,$(FLOORS))

# A floor may have no wheel, and is built apart then: in place, an older pip takes build tools that do not fit.  What it
# compiles tells of its old spellings now, and not in a test, where a warning is an error.
$(VENV)-floors/.installed: pyproject.toml floors.txt
	$(PYTHON) -m venv --clear $(VENV)-floors
	$(call install_with,$(VENV)-floors/bin/python) $(if $(UV),--compile-bytecode,--use-pep517) -c floors.txt -e '.[dev]'
	@touch $@

house: $(VENV)/.workshop
	@PYTHONPATH=tests $(VENV)/bin/python -m support.house

prove: $(VENV)/.workshop
	$(VENV)/bin/python -m pytest -q $(SIDE_BY_SIDE) --prove -m "prove or sampled" --timeout=7200 $(ARGS)

# As `make test`, and then what was not run.  The core is asked for more: nearly every branch of a rule is one that
# somebody at a table comes to.
CORE := cribpi/cribbage/game/*,cribpi/cribbage/record/*,cribpi/cribbage/results/*,cribpi/cribbage/rules/*,cribpi/cribbage/words/*
cover: $(VENV)/.workshop
	$(VENV)/bin/python -m coverage erase
	$(VENV)/bin/python -m coverage run -m pytest -q $(SIDE_BY_SIDE) $(ARGS)
	$(VENV)/bin/python -m coverage combine -q
	$(VENV)/bin/python -m coverage report --include='$(CORE)' --fail-under=99
	$(VENV)/bin/python -m coverage report --fail-under=95

fresh:
	PYTHON=$(PYTHON) tests/fresh/run $(ARGS)

bugs: $(VENV)/.workshop
	PYTHONPATH=tests $(VENV)/bin/python tests/bugs/plant.py $(ARGS)

ROOM ?= game
mutants: $(VENV)/.workshop
	PYTHONPATH=tests $(VENV)/bin/python -m support.mutants $(ROOM) --max-children $(JOBS) $(ARGS)

bench: $(VENV)/.workshop
	PYTHONPATH=tests $(VENV)/bin/python -m bench.bench $(ARGS)

pictures: $(VENV)/.workshop
	PYTHONPATH=tests $(VENV)/bin/python -m pictures $(ARGS)

# What draws the diagrams of a few pages; where there is no npm, they stay text.
MERMAID = build/mermaid/package/dist/mermaid.min.js
$(MERMAID):
	mkdir -p build/mermaid
	cd build/mermaid && npm pack --silent mermaid@12.3.0 && tar xzf mermaid-*.tgz && rm mermaid-*.tgz

docs: $(VENV)/.workshop $(if $(NPM),$(MERMAID))
	PYTHONPATH=tests $(VENV)/bin/python -m support.site

words: $(VENV)/.workshop
	@PYTHONPATH=tests $(VENV)/bin/python -m support.words $(ARGS)

drawings: $(VENV)/.workshop
	@for kit in $(notdir $(wildcard hardware/kits/*)); do \
		$(VENV)/bin/cribpi kits draw $$kit --to hardware/kits/$$kit || exit; done

tables: $(VENV)/.installed
	$(VENV)/bin/python -m cribpi.workshop.tables.make $(ARGS)

# Near the end of a game: `expert` plays 38,000 deals against itself, on every core.
endgame: $(VENV)/.installed
	$(VENV)/bin/python -m cribpi.workshop.tables.make endgame-2 winning-2

wheel: $(VENV)/.workshop
	$(VENV)/bin/python -m hatchling build -t wheel -d dist

# Where there is no make: python systemd/bundle/make.py.  With a compiler for the Pi's processor it has more in it.
ARCH ?= aarch64
bundle: $(VENV)/.workshop
	$(VENV)/bin/python systemd/bundle/make.py --machine $(ARCH)

bundle-test: $(VENV)/.workshop
	PYTHON=$(abspath $(VENV))/bin/python tests/bundle/run $(ARGS)

image: $(VENV)/.workshop
	PYTHON=$(abspath $(VENV))/bin/python systemd/image/make $(ARGS)

image-test: $(VENV)/.workshop
	PYTHON=$(abspath $(VENV))/bin/python tests/image/run $(ARGS)

wheel-test: $(VENV)/.workshop
	$(VENV)/bin/python tests/wheel/stage.py build/wheel
	$(WHEEL_PYTHON) tests/wheel/prove.py --staged build/wheel -q $(SIDE_BY_SIDE) $(ARGS)

arm64: $(VENV)/.workshop
	PYTHON=$(abspath $(VENV))/bin/python tests/arm64/run $(ARGS)

pi: $(VENV)/.workshop
	PYTHON=$(abspath $(VENV))/bin/python tests/pi/run $(ARGS)

pi-plugs:
	@$(MAKE) --no-print-directory pi ARGS='beginning plugs'

# The system's own Python: the installer needs no other package, and what it installs sees the system's.
install:
	@/usr/bin/python3 systemd/install.py $(if $(DESTDIR),--destdir '$(DESTDIR)') $(ARGS)

phones:
	@$(MAKE) --no-print-directory install ARGS='--phones $(ARGS)'

no-phones:
	@$(MAKE) --no-print-directory install ARGS='--no-phones $(ARGS)'

uninstall:
	@/usr/bin/python3 systemd/install.py --uninstall $(if $(DESTDIR),--destdir '$(DESTDIR)') $(ARGS)

clean:
	rm -rf $(VENV) dist build mutants *.egg-info

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV_FLAGS) $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) -c constraints.txt -e '.$(if $(EXTRAS),[$(EXTRAS)],)'
	@touch $@

$(VENV)/.club: $(VENV)/.installed
	$(INSTALL) -c constraints.txt -e '.[club$(if $(EXTRAS),$(COMMA)$(EXTRAS),)]'
	@touch $@

$(VENV)/.workshop: $(VENV)/bin/python pyproject.toml constraints.txt $(CRIBPI_WS281X)/.unpacked
	$(INSTALL) -c constraints.txt -e '.[dev$(if $(EXTRAS),$(COMMA)$(EXTRAS),)]'
	@touch $@ $(VENV)/.installed

# Its source is all that there is of it, and needs a compiler to be installed: only unpacked, it needs none.
$(CRIBPI_WS281X)/.unpacked: $(VENV)/bin/python tests/support/rpi_ws281x.txt
	rm -rf $(@D) && mkdir -p $(@D)
	$(PIP) download --no-deps --require-hashes -r tests/support/rpi_ws281x.txt -d $(@D)
	tar -xzf $(@D)/rpi_ws281x-*.tar.gz -C $(@D) --strip-components=1 --wildcards '*/rpi_ws281x/*.py' '*/LICENSE'
	@touch $@

$(VENV)/page-types/.installed: $(VENV)/bin/python tests/companion/web/types/package.json tests/companion/web/types/package-lock.json
	rm -rf $(@D) && mkdir -p $(@D)
	cp tests/companion/web/types/package.json tests/companion/web/types/package-lock.json $(@D)
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@
