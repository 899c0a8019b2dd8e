# Two commands do all the set-up on a machine that has Swift: make run, make test. What installs is in Sources/Packaging.
.DEFAULT_GOAL := help
SHELL := bash
LIBRARIES := libcurl4-openssl-dev libsqlite3-dev libgsl-dev libssl-dev zlib1g-dev pkg-config
SCENARIO ?= scenarios/saturday.yaml
GRAPH := --explicit-target-dependency-import-check error --manifest-cache none
# Shared libraries are looked for where the system has them, not beside the program. Debug information would be two fifths of
# it; names of functions stay. All products have the same options, or one build would throw away what the other has compiled.
RELEASE := -c release -debug-info-format none --disable-local-rpath $(GRAPH)

DUELS ?= 20
PAIRS ?= 10
SECONDS_A_RUN ?= 3
UNCHANGED ?= 60
LOAD_PAIRS ?= 16
SLOWER ?= 20
REQUESTS ?= 5000000
SCENARIOS ?= 20000
PARTS ?= 10000
FAULTS ?= 100
# Those whose checks are known to accuse no right backend under any kind of fault.
FAULTS_OF ?= toy kantine-koning kilwinning asia-travel-plan
SEED ?=
CONTRACT_TEST := .build/contract-test
PEERS := .build/peers
# The Python that has SimPy: the one of 'make peers', else whatever the system has.
PYTHON = $(if $(wildcard $(PEERS)/bin/python),$(PEERS)/bin/python,python3)
# What failed is said once more at the end, where one looks first.
TOLD = 2>&1 | tee .build/tests.log; code=$${PIPESTATUS[0]}; [ $$code = 0 ] || grep -a '✘' .build/tests.log; exit $$code

PREFIX ?= /usr/local
SUITES ?= bookworm trixie
VERSION := $(shell sed -n 's/.* version = "\(.*\)"/\1/p' Sources/Provenance/Provenance.swift)
LAID := .build/rehearse-$(VERSION)-linux-$(shell uname -m)
DEB = .build/rehearse_$(VERSION)_$(shell dpkg --print-architecture).deb
# Equal sources give equal packages: https://reproducible-builds.org/specs/source-date-epoch
DATED = export SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git -c safe.directory="*" log -1 --format=%ct 2>/dev/null || date +%s)}

.PHONY: help setup build lay-out install uninstall dist deb dist-test cluster-test run test contract-test fuzz bench budgets toy-budget bench-http peers validate duels load-duels lint format digests prove sample-report handbooks docs

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

setup: ## Install the system libraries that are missing (apt; sudo when not root)
	@missing=""; \
	for library in $(LIBRARIES); do \
	  dpkg-query -W -f='$${Status}' $$library 2>/dev/null | grep -q 'install ok installed' || missing="$$missing $$library"; \
	done; \
	if [ -n "$$missing" ]; then \
	  if ! command -v apt-get >/dev/null; then \
	    echo "Missing:$$missing. There is no apt here: install the development files of libcurl, SQLite, GSL (with its archive libgsl.a), OpenSSL and zlib with your package manager."; \
	    if pkg-config --exists gsl 2>/dev/null; then echo "GSL is there; going on."; else exit 1; fi; \
	  else \
	    sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	    echo "Installing$$missing"; \
	    $$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing >/dev/null; \
	  fi; \
	fi
	@# The package finds domains by their folders, but SwiftPM looks again only when the manifest is newer.
	@[ -z "$$(find Sources/Domains Tests/Domains -maxdepth 2 -type d -newer Package.swift)" ] || touch Package.swift
	@mkdir -p .build && Sources/Packaging/layouts .build/layouts
	@command -v swift >/dev/null || { echo "Swift 6.2 or newer is needed: https://www.swift.org/install/linux"; exit 1; }

build: setup ## Build the release executable
	@[ -x .build/release/rehearse ] || echo "Building for the first time: the dependencies are compiled too, which takes about 4 minutes on two cores."
	swift build $(RELEASE) --product rehearse

lay-out: build
	swift build $(RELEASE) --product rehearse-serve
	$(DATED); Sources/Packaging/lay-out $(LAID)

install: lay-out ## Install programs, manual, completions and scenarios below PREFIX (/usr/local; DESTDIR=… goes before it)
	mkdir -p '$(DESTDIR)$(PREFIX)'
	cp -r $(LAID)/. '$(DESTDIR)$(PREFIX)'

uninstall: ## Remove what install has put below PREFIX
	cd '$(DESTDIR)$(PREFIX)' && rm -rf bin/rehearse bin/rehearse-serve share/man/man1/rehearse{,-*}.1 \
	  share/bash-completion/completions/rehearse{,-serve} share/zsh/site-functions/_rehearse{,-serve} \
	  share/fish/vendor_completions.d/rehearse{,-serve}.fish share/doc/rehearse share/rehearse

dist: lay-out ## Make a tarball that runs without Swift, in .build
	$(DATED); tar -C .build --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$$SOURCE_DATE_EPOCH -c $(notdir $(LAID)) \
	  | gzip -9n > $(LAID).tar.gz
	@ls -lh $(LAID).tar.gz

deb: lay-out ## Make a Debian package, in .build (dpkg-dev and lintian)
	@command -v dpkg-shlibdeps >/dev/null && command -v lintian >/dev/null || { echo "It takes dpkg-shlibdeps and lintian: apt-get install dpkg-dev lintian"; exit 1; }
	$(DATED); Sources/Packaging/deb $(LAID) $(DEB)
	lintian --fail-on error,warning $(DEB)

dist-test: dist deb ## Install, use and remove both in a bare root of each of SUITES (debootstrap; as root)
	@[ "$$(id -u)" = 0 ] && command -v debootstrap >/dev/null || { echo "It takes root and debootstrap: apt-get install debootstrap"; exit 1; }
	@for suite in $(SUITES); do \
	  echo "== $$suite"; \
	  root=$$(mktemp -d) && debootstrap --variant=minbase $$suite $$root >$$root.log && rm $$root.log \
	    && cp Sources/Packaging/try $(DEB) $(LAID).tar.gz $$root/tmp \
	    && unshare --mount sh -c "mount -t proc proc $$root/proc && exec chroot $$root /tmp/try /tmp/$(notdir $(DEB)) /tmp/$(notdir $(LAID)).tar.gz"; \
	  code=$$?; rm -rf --one-file-system "$$root"; [ $$code = 0 ] || exit $$code; \
	done

run: build ## Run the main scenario and write its report below reports/
	.build/release/rehearse run $(SCENARIO)

test: build ## Run all tests: units in a debug build, programs as users get them
	swift build $(RELEASE) --product rehearse-serve
	swift build $(RELEASE) --product rehearse-fuzz
	swift build --build-tests $(GRAPH)
	swift test --skip-build --skip 'AdaptersTests|EndToEndTests' $(TOLD)
	@# Real servers, processes and a browser one at a time, so that none waits for the others' work.
	REHEARSAL_PROGRAMS="$(CURDIR)/.build/release" swift test --skip-build --no-parallel --filter 'AdaptersTests|EndToEndTests' $(TOLD)

contract-test: build ## Fuzz the served twins against their OpenAPI documents (schemathesis), sign in with Authlib
	swift build $(RELEASE) --product rehearse-serve
	@command -v python3 >/dev/null || { echo "python3 is needed, 3.10 or newer"; exit 1; }
	@cmp -s Tests/OpenAPI/requirements.txt $(CONTRACT_TEST)/requirements.txt || { \
	  rm -rf $(CONTRACT_TEST); \
	  echo "Installing" $$(cat Tests/OpenAPI/requirements.txt) "from PyPI below $(CONTRACT_TEST)"; \
	  python3 -m venv $(CONTRACT_TEST) \
	    && $(CONTRACT_TEST)/bin/pip install --quiet --disable-pip-version-check -r Tests/OpenAPI/requirements.txt \
	    && cp Tests/OpenAPI/requirements.txt $(CONTRACT_TEST)/; \
	} || { echo "They could not be installed: it takes python3 with venv (apt-get install python3-venv) and PyPI."; exit 1; }
	$(CONTRACT_TEST)/bin/python Tests/OpenAPI/contract_test.py .build/release/rehearse
	$(CONTRACT_TEST)/bin/python Tests/OpenAPI/openid_connect.py .build/release/rehearse

cluster-test: build ## Divide a run on a Slurm of this machine's own, and hold manifests against their schemas (apt, PyPI; as root)
	@[ "$$(id -u)" = 0 ] || { echo "It takes root, who starts the daemons of a Slurm."; exit 1; }
	@command -v slurmctld >/dev/null && command -v munged >/dev/null || { \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq slurm-wlm munge >/dev/null; }
	unshare --mount Tests/Cluster/slurm.sh .build/release/rehearse
	@cmp -s Tests/Cluster/requirements.txt .build/cluster-test/requirements.txt || { \
	  rm -rf .build/cluster-test; python3 -m venv .build/cluster-test \
	    && .build/cluster-test/bin/pip install --quiet --disable-pip-version-check -r Tests/Cluster/requirements.txt \
	    && cp Tests/Cluster/requirements.txt .build/cluster-test/; }
	.build/release/rehearse parts Tests/Cluster/divided.yaml --for kubernetes --parts 8 > .build/cluster-test/parts.yaml
	.build/cluster-test/bin/kubernetes-validate --strict .build/cluster-test/parts.yaml
	.build/release/rehearse parts Tests/Cluster/divided.yaml --for github --parts 8 > .build/cluster-test/parts.yml
	.build/cluster-test/bin/check-jsonschema --builtin-schema vendor.github-workflows .build/cluster-test/parts.yml
	python3 Tests/Cluster/parts.py equal .build/release/rehearse --replications 3

fuzz: setup ## Ask the twins REQUESTS bent requests each, live through SCENARIOS odd ones, read PARTS damaged parts, deal cells to regions, let faults befall domains FAULTS times each (SEED=n repeats)
	swift build $(RELEASE) --product rehearse-fuzz
	.build/release/rehearse-fuzz requests --count $(REQUESTS) $(if $(SEED),--seed $(SEED))
	.build/release/rehearse-fuzz scenarios --count $(SCENARIOS) $(if $(SEED),--seed $(SEED))
	.build/release/rehearse-fuzz parts --count $(PARTS) $(if $(SEED),--seed $(SEED))
	.build/release/rehearse-fuzz regions $(if $(SEED),--seed $(SEED))
	for domain in $(FAULTS_OF); do \
	  .build/release/rehearse-fuzz faults --domain $$domain --count $(FAULTS) $(if $(SEED),--seed $(SEED)) || exit; done

bench: build ## Measure the engine: kernel, journeys, twin, checks, workers; the workshop beside SimPy (make peers)
	swift build $(RELEASE) --product rehearse-bench
	.build/release/rehearse-bench
	@! command -v python3 >/dev/null || $(PYTHON) Tests/Peers/compare.py .build/release/rehearse
	swift build $(RELEASE) --product rehearse
	python3 Tests/Cluster/parts.py bench .build/release/rehearse

budgets: setup ## Count the instructions of a request (valgrind), held against Tests/Tidy/budgets.json
	@command -v valgrind >/dev/null && command -v python3 >/dev/null || { echo "It takes valgrind and python3: apt-get install valgrind python3"; exit 1; }
	swift build $(RELEASE) --product rehearse-bench
	python3 Tests/Tidy/budgets.py .build/release/rehearse-bench

toy-budget: setup ## The same of the workshop's requests, without the large domains
	@command -v valgrind >/dev/null && command -v python3 >/dev/null || { echo "It takes valgrind and python3: apt-get install valgrind python3"; exit 1; }
	swift build $(RELEASE) --product workshop-bench
	python3 Tests/Tidy/budgets.py .build/release/workshop-bench workshop

bench-http: build ## Measure load over HTTP beside wrk, with nginx as the server: processor time, lateness, stops
	@command -v python3 >/dev/null || { echo "python3 is needed, 3.10 or newer"; exit 1; }
	python3 Tests/HTTPBench/bench_http.py .build/release/rehearse

peers: ## Install SimPy below .build, for programs in another language to compare with
	@cmp -s Tests/Peers/requirements.txt $(PEERS)/requirements.txt || { \
	  rm -rf $(PEERS); \
	  python3 -m venv $(PEERS) \
	    && $(PEERS)/bin/pip install --quiet --disable-pip-version-check -r Tests/Peers/requirements.txt \
	    && cp Tests/Peers/requirements.txt $(PEERS)/; \
	} || { echo "SimPy could not be installed: it takes python3 with venv (apt-get install python3-venv) and PyPI."; exit 1; }

validate: setup peers ## Measure how often the statistics err, and the workshop beside SimPy, into reports/validation.md
	swift build $(RELEASE) --product rehearse-validate
	mkdir -p reports
	PYTHON=$(PEERS)/bin/python .build/release/rehearse-validate > reports/validation.md.part
	mv reports/validation.md.part reports/validation.md

duels: build load-duels ## Duel the build with itself, DUELS times, and servers under load: how often is it falsely alarmed?
	mkdir -p reports
	@program=.build/release/rehearse; false=0; equal=0; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	for duel in $$(seq 1 $(DUELS)); do \
	  code=0; $$program duel $(SCENARIO) --baseline-binary $$program --pairs $(PAIRS) --seconds $(SECONDS_A_RUN) \
	    --output "$$folder" --quiet || code=$$?; \
	  case $$code in 0) ;; 97) false=$$((false + 1)) ;; *) exit $$code ;; esac; \
	  if grep -m 1 '"verdict"' "$$folder/duel.json" | grep -q equivalent; then equal=$$((equal + 1)); fi; \
	  echo "duel $$duel of $(DUELS): exit code $$code"; \
	done; \
	printf '# Duels of a build with itself\n\nMeasured by `make duels` with `$(SCENARIO)` on %s cores, load average %s at the end: %s duels of %s runs a side, about %s s each.\n\n| duels | regressions, all of them false | all figures equivalent |\n|---:|---:|---:|\n| %s | %s | %s |\n' \
	  "$$(nproc)" "$$(cut -d' ' -f1 /proc/loadavg)" $(DUELS) $(PAIRS) $(SECONDS_A_RUN) $(DUELS) "$$false" "$$equal" > reports/duels.md
	@cat reports/duels.md

load-duels: build ## Duel UNCHANGED pairs of equal servers under load and SLOWER unequal ones, into reports/load-duels.md
	@command -v python3 >/dev/null || { echo "python3 is needed, 3.10 or newer"; exit 1; }
	swift build $(RELEASE) --product faulty-server
	mkdir -p reports
	python3 Tests/HTTPBench/load_duels.py .build/release/rehearse .build/release/faulty-server \
	  --unchanged $(UNCHANGED) --slower $(SLOWER) --pairs $(LOAD_PAIRS) > reports/load-duels.md; \
	  code=$$?; cat reports/load-duels.md; exit $$code

digests: build ## Compare the digests of all stock scenarios with those that were frozen, on one worker and on seven
	@command -v python3 >/dev/null || { echo "python3 is needed"; exit 1; }
	python3 Tests/EndToEnd/digests.py .build/release/rehearse

prove: build ## Prove that every check can fail
	.build/release/rehearse prove

sample-report: build ## Make reports/sample anew: the report of the main scenario and its picture
	rm -rf reports/sample.part && mkdir -p reports/sample
	.build/release/rehearse run $(SCENARIO) --output reports/sample.part
	cp reports/sample.part/index.html reports/sample/index.html
	rm -rf reports/sample.part
	chromium --headless=new --no-sandbox --hide-scrollbars --window-size=1300,900 \
	  --screenshot=reports/sample/report.png "file://$(CURDIR)/reports/sample/index.html"

handbooks: build ## Write each domain's page from what it declares
	for part in Sources/Domains/*/Domain; do \
	  folder=$$(dirname $$part); \
	  domain=$$(grep -rhoE 'static let domain = "[^"]+"' $$folder/Contract | cut -d'"' -f2); \
	  .build/release/rehearse commands $$domain --handbook > $$folder/README.md; \
	done

docs: ## Build the documentation into .build/documentation; offline, with the toolchain's own docc
	@command -v docc >/dev/null || { echo "docc is part of the Swift toolchain: put its bin folder on the PATH"; exit 1; }
	mkdir -p .build
	docc convert Sources/Rehearse/Rehearsal.docc --output-dir .build/documentation --transform-for-static-hosting \
	  --fallback-display-name Rehearsal --fallback-bundle-identifier rehearsal --warnings-as-errors
	@echo "To read it:  python3 -m http.server --bind 127.0.0.1 --directory .build/documentation 8123"
	@echo "             http://127.0.0.1:8123/documentation/rehearsal"

lint: ## Check the form of the sources
	swift format lint --strict --recursive Package.swift Sources Tests

format: ## Bring the sources into form
	swift format --in-place --recursive Package.swift Sources Tests
