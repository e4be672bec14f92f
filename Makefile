# The project's verbs. `make` alone lists them.

PREFIX ?= $(HOME)/.local
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

# Everything swift-format looks after: all Swift but the generated tables.
# The review's corpus is wrong on purpose, in every way that people write.
formatted = Package.swift $(shell find \
	$(wildcard Sources Tests Tools Benchmarks Examples Shims Review) -name '*.swift' \
	-not -path '*/Generated/*' -not -path '*/.build/*' -not -path 'Review/Corpus/*')

.DEFAULT_GOAL := help
.PHONY: help setup demo test torture fuzz bench format catalogue ledger ledger-audit release install

help: ## list the verbs
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) \
		| while IFS='|' read -r verb line; do printf '  make %-12s %s\n' "$$verb" "$$line"; done

setup: ## install what is missing to build and test (through apt)
	@Tools/setup

demo: setup ## simulate an export, import it, show steps counted once
	swift build -c release --product openhealth
	.build/release/openhealth demo

# A run of tests: all it says goes to a log in .build, and here what was run, what failed and how many
# passed. A run that ended in the middle has said nothing of a failure, so the log's end is shown.
define run_tests
@mkdir -p .build; echo 'swift test $(2) (all of it: .build/$(1).log)'; \
if swift test $(2) >.build/$(1).log 2>&1; then \
	grep -E 'Test run with .* passed|Executed [1-9][0-9]* test' .build/$(1).log | sort -u; \
else \
	echo 'What failed:'; grep -E '✘|error:' .build/$(1).log || tail -n 20 .build/$(1).log; exit 1; \
fi
endef

# Where nobody watches a terminal, progress is thousands of lines.
progress = $(shell [ -t 2 ] || echo --quiet)

test: setup ## formatting, the tree's laws and all tests, a review of our own code too
	swift format lint --strict --parallel $(formatted)
	swift build --build-tests $(progress)
	$(call run_tests,tests,--skip-build)
	$(call run_tests,tests-StepDiary,--package-path Examples/StepDiary)
	$(call run_tests,tests-Shims,--package-path Shims)
	$(call run_tests,tests-Review,--package-path Review)
	Review/.build/debug/openhealth-review Sources Examples Shims

torture: setup ## the tests with their big counts; 10,000 schedules and 500 kills of HealthSync
	swift build --build-tests -c release -Xswiftc -enable-testing
	OPENHEALTH_TORTURE=1 swift test -c release -Xswiftc -enable-testing --skip-build
	.build/release/openhealth torture --schedules 10000 --require-all-pairs
	.build/release/openhealth torture --kills 500

# Another seed each time; a finding prints the words that repeat it: make fuzz FUZZ='--seed 7 …'
MINUTES ?= 4
fuzz: release ## hostile imports, stores, command lines and requests for MINUTES=4
	swift build -c release --product Fuzz --static-swift-stdlib
	.build/release/Fuzz --minutes $(MINUTES) $(FUZZ)

# More words for it: make bench BENCH='--quick --json FILE'
bench: release ## speed and memory against the peers, answers checked
	swift build -c release --package-path Benchmarks
	Benchmarks/.build/release/Benchmarks $(BENCH)

format: ## rewrite the sources as swift-format likes them
	swift format --in-place --parallel $(formatted)

catalogue: setup ## render Data/*.json to Sources/*/Generated
	swift run GenerateCatalogue

ledger: setup ## render Documentation/Compatibility.md from the tests' marks
	swift run Ledger

# Another number, and a seed to repeat a run: make ledger-audit AUDIT='12 4711'
ledger-audit: setup ## break 40 symbols that work, one by one: their tests must fail
	swift run Ledger audit $(AUDIT)

release: setup ## build dist/openhealth: optimised, Swift's libraries inside, stripped
	swift build -c release --product openhealth --static-swift-stdlib
	mkdir -p dist
	strip -o dist/openhealth .build/release/openhealth
# A static binary whose code never reaches ICU links without time zones: see it answer.
	dist/openhealth demo >/dev/null

install: release ## copy dist/openhealth to $PREFIX/bin (~/.local/bin)
	install -d "$(PREFIX)/bin"
	install -m 755 dist/openhealth "$(PREFIX)/bin/openhealth"
# The linter goes along where it has been built.
	test ! -x Review/.build/release/openhealth-review \
		|| install -m 755 Review/.build/release/openhealth-review "$(PREFIX)/bin"
