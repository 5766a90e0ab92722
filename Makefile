# Every target makes what it needs first; a second set-up takes no time.
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest

# Without compiled files each of hundreds of started programs compiles itself, and each worker every test.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup run prove micropython programs quick test all-tests lint coverage soak bench screenshots docs clean

setup:
	@scripts/setup

# On the display or panel of this machine; without one, a recorded match off screen.
run: setup
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || grep -qsx connected /sys/class/drm/*/status; \
	then $(BIN)/companion; \
	else $(BIN)/companion demo egypt --offscreen --out out && \
	echo "There is no display. The pictures of this match are in out/. To play here: $(BIN)/companion play egypt"; fi

# What the README promises, tried in three minutes; `make prove SEED=7` draws the same games again.
prove: setup
	@$(BIN)/python -m scripts.prove $(if $(SEED),--seed $(SEED))

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# For after each small change: the rules of the core, without games, devices and windows.
quick: lint
	$(PYTEST) -q -n 2 tests/table tests/requests tests/rules tests/log tests/session

# The keypads' firmware is tested in it; where it can't be had, those tests are skipped and say so.
micropython:
	@scripts/micropython/fetch.sh || true

# What else tests run, from Debian; where it can't be had, those tests are skipped and say so.
programs: setup
	@scripts/setup --tests

# The linters need one core for a minute, and tests don't always use both. What linters say appears when they are
# done, what tests say at once.
test: micropython programs
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint all-tests

# Two more workers than cores use both while others wait for a terminal, a process or the next frame. The + keeps
# make from holding back what is printed.
all-tests: setup
	+PYTHONHASHSEED=271828 $(PYTEST) -n 4 --dist worksteal

# The gates of coverage for the core. Watching slows a test by half to five times: what plays much isn't watched.
coverage: setup programs
	PYTHONHASHSEED=0 $(PYTEST) -n 3 --dist worksteal -m "not without_coverage" --cov=companion --cov-report=
	$(BIN)/python scripts/coverage_gates.py

# A thousand random games a game, then all the rest; what they reach was reached by two. It takes hours on two
# cores; `make soak PART=tests/ui` soaks that alone, and measures nothing of what it reaches.
soak: setup micropython programs
ifdef PART
	COMPANION_SOAK=1 $(PYTEST) -n 3 --dist worksteal --timeout=3600 $(PART)
else
	COMPANION_SOAK=1 $(PYTEST) -n 3 --dist worksteal --timeout=3600 tests/conformance
	COMPANION_SOAK=1 $(PYTEST) -n 3 --dist worksteal --timeout=3600 --ignore=tests/conformance \
		--cov --cov-report=
	$(BIN)/python scripts/coverage_gates.py
endif

bench: setup
	$(BIN)/python -m benchmarks

screenshots: setup
	$(BIN)/python -m scripts.screenshots

# The pages and what they say of the code, as a site in build/site.
docs: setup
	@scripts/docs

clean:
	rm -rf .venv .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build out
