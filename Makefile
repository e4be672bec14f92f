# The project's targets. `make` alone lists them.

PREFIX ?= $(HOME)/.local
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

# The files that swift-format checks: all Swift except the generated tables and the review's corpus,
# which contains wrong code on purpose.
formatted = Package.swift $(shell find \
	$(wildcard Sources Tests Tools Benchmarks Examples Shims Review) -name '*.swift' \
	-not -path '*/Generated/*' -not -path '*/.build/*' -not -path 'Review/Corpus/*')

# SwiftPM 6.3 passes the traits to the compiler in the order of a set, which Swift's hashing makes a
# different one in each process. The order is a part of the command, so most builds would compile all
# of the package again: minutes instead of seconds. Tests that are built before run without it
# (`run_tests`), because random orders find code that depends on one.
export SWIFT_DETERMINISTIC_HASHING = 1

# Without debug information, which takes time and isn't in the stripped command.
release = -c release -debug-info-format none

.DEFAULT_GOAL := help
.PHONY: _command _demo _processes _packages help setup setup-all demo demo-people test test-all torture fuzz bench format catalogue ledger ledger-audit docs api release install

help: ## list the verbs
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) \
		| while IFS='|' read -r verb line; do printf '  make %-12s %s\n' "$$verb" "$$line"; done

setup: ## install what is missing to build and test (through apt)
	@Tools/setup

setup-all: setup ## also PostgreSQL's server, for test-all and demo-people
	@Tools/setup postgresql

# The first answer comes from a debug build without the pages, which builds three times as fast as a
# release and simulates and imports a year in seconds. The release build follows. A separate build
# folder, because other traits would rebuild everything each time.
demo: setup ## simulate an export, import it, show steps without double counting
	@$(MAKE) --no-print-directory _demo
	swift build $(release) --product openhealth

_demo:
	swift build --product openhealth --traits Command --disable-prefetching \
		--scratch-path .build/demo $(quickly) $(progress)
	.build/demo/debug/openhealth demo

demo-people: setup-all ## 20 phones, 2 nodes, PostgreSQL: kill a node and the database, compare totals
	swift build $(release) --product openhealth
	Tools/demo-people .build/release/openhealth

# Runs tests. The full output goes to a log in .build; the terminal shows the command, the failures
# and the number of passed tests, and what is skipped because Python or PostgreSQL is missing. If a
# run ends without a reported failure, the log's end is shown. A run that doesn't end is stopped, and
# the tests that it was in are shown.
define run_tests
@mkdir -p .build; echo 'swift test $(2) (all of it: .build/$(1).log)'; \
if env -u SWIFT_DETERMINISTIC_HASHING $(3) timeout --foreground -s INT -k 60 40m swift test $(2) >.build/$(1).log 2>&1; then \
	grep -E 'Test run with .* passed|Executed [1-9][0-9]* test|skipped: "(Python|No PostgreSQL|libpq)' .build/$(1).log | sort -u; \
else \
	[ $$? != 124 ] || { echo 'Stopped after 40 minutes in:'; Tools/unfinished-tests .build/$(1).log; }; \
	echo 'What failed:'; grep -E '✘|error:' .build/$(1).log || tail -n 20 .build/$(1).log; exit 1; \
fi
endef

# Without a terminal, progress output would be thousands of lines.
progress = $(shell [ -t 2 ] || echo --quiet)

# Compiling takes most of a test run's time. Without debug information, and with two batches per
# module instead of one per 25 files, it takes a third less. (Test discovery needs the index, so it
# stays.) These flags would rebuild the products of a plain `swift build`, hence a separate build
# folder.
quickly = -debug-info-format none -Xswiftc -driver-batch-size-limit -Xswiftc 1000
test_build = --scratch-path .build/tests $(quickly)

# Tests that wait for other processes run one after another. In parallel they would block the few
# threads that tasks run on, and stop all other tests.
processes = CommandTests BrowserTests TortureTests BadClientTests \
	EncryptedServerTests ServerCertificateTests HookRequestTests HealthPeopleTests

test: setup ## formatting, and the libraries' quick tests
	swift format lint --strict --parallel $(formatted)
	OPENHEALTH_TESTS=quick swift build --build-tests $(progress) $(test_build)
	$(call run_tests,tests,--skip-build $(test_build),OPENHEALTH_TESTS=quick)

test-all: setup-all ## all tests: processes, kills, pages, the browser; examples, linter and laws
	swift format lint --strict --parallel $(formatted)
	swift build --build-tests $(progress) $(test_build)
	$(call run_tests,tests-all,--skip-build $(test_build) $(addprefix --skip ,$(processes)),OPENHEALTH_TESTS=all)
	@$(MAKE) --no-print-directory -j2 _processes _packages
	.build/tests/debug/PublicAPI .build/tests/debug --check
# The path limits git's answer to one line. Searching the whole list with `grep -q` would end git with
# SIGPIPE for a commit of many files, and with pipefail that counts as a failure.
	@[ -n "$$(git diff-tree --root -m --no-commit-id --name-only \
		"$$(git log -1 --format=%H -- API)" CHANGELOG.md)" ] \
		|| { echo 'The last change of API/ has no line in CHANGELOG.md.'; exit 1; }

# The two halves of the rest. The first waits for processes most of the time, the second compiles.
_processes:
# The store's tests over stores that are rebuilt as a node of many people rebuilds them.
	$(call run_tests,tests-rebuilt,--skip-build $(test_build) --filter HealthStorageTests,OPENHEALTH_STORES=rebuilt OPENHEALTH_TESTS=quick)
	$(call run_tests,tests-processes,--skip-build $(test_build) --no-parallel $(addprefix --filter ,$(processes)),OPENHEALTH_TESTS=all)

_packages:
	$(call run_tests,tests-StepDiary,--package-path Examples/StepDiary $(quickly),SWIFT_DETERMINISTIC_HASHING=1 nice)
	$(call run_tests,tests-Shims,--package-path Shims $(quickly),SWIFT_DETERMINISTIC_HASHING=1 nice)
	$(call run_tests,tests-Review,--package-path Review $(quickly),SWIFT_DETERMINISTIC_HASHING=1 nice)
	nice Review/.build/debug/source-laws check .
	nice Review/.build/debug/openhealth-review Sources Examples Shims
# The README's first command, with the fewest traits of a build of the command.
	nice $(MAKE) --no-print-directory _demo

torture: setup-all ## the tests with their big counts; schedules and kills of HealthSync and of receiving
	swift build --build-tests $(release) -Xswiftc -enable-testing
	OPENHEALTH_TESTS=torture swift test -c release -Xswiftc -enable-testing --skip-build
	.build/release/torture --schedules 10000 --require-all-pairs
	.build/release/torture --kills 500
	.build/release/torture --intake 2000
	Tools/torture-people --openhealth .build/release/openhealth --place folder --schedules 100
	Tools/torture-people --openhealth .build/release/openhealth --place postgresql --schedules 30 --promotions 5

# The seed differs each time. A finding prints the arguments that repeat it: make fuzz FUZZ='--seed
# 7 …'
MINUTES ?= 4
fuzz: _command ## hostile imports, stores, command lines and requests for MINUTES=4
	swift build $(release) --product Fuzz --static-swift-stdlib
	.build/release/Fuzz --minutes $(MINUTES) $(FUZZ)

# With more arguments: make bench BENCH='--quick --json FILE'
bench: _command ## speed and memory against the peers, answers checked
	swift build $(release) --package-path Benchmarks
	Benchmarks/.build/release/Benchmarks $(BENCH)

format: ## rewrite the sources as swift-format likes them
	swift format --in-place --parallel $(formatted)

catalogue: setup ## render Data/*.json to Sources/*/Generated
	swift run GenerateCatalogue

ledger: setup ## render Documentation/Compatibility.md from the tests' marks
	swift run Ledger

# With another number of symbols, and a seed to repeat a run: make ledger-audit AUDIT='12 4711'
ledger-audit: setup ## break 40 symbols that work, one by one: their tests must fail
	swift run Ledger audit $(AUDIT)

# Some of it only: Tools/docs HealthSync
docs: setup ## write the documentation's static pages to .build/docs
	@Tools/docs

api: setup ## write the products' public declarations to API/*.txt
	swift build --build-tests $(progress) $(test_build)
	.build/tests/debug/PublicAPI .build/tests/debug

_command: setup
	swift build $(release) --product openhealth --static-swift-stdlib
	mkdir -p dist
	strip -o dist/openhealth .build/release/openhealth
# A static binary that doesn't link ICU has no time zones, so run it once.
	dist/openhealth demo >/dev/null

# The linter takes some minutes more, so other verbs need only the command.
release: _command ## build dist/: command and linter, Swift's libraries inside, and their packages
	swift build $(release) --package-path Review --product openhealth-review --static-swift-stdlib
	strip -o dist/openhealth-review Review/.build/release/openhealth-review
	Tools/package

install: _command ## copy dist/openhealth, its manual and completions to $PREFIX (~/.local)
	install -d "$(PREFIX)/bin"
	install -m 755 dist/openhealth "$(PREFIX)/bin/openhealth"
	Tools/install-texts dist/openhealth "$(PREFIX)"
# The linter is installed too if it has been built.
	test ! -x Review/.build/release/openhealth-review \
		|| install -m 755 Review/.build/release/openhealth-review "$(PREFIX)/bin"
