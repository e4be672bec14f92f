import Foundation

/// Mutation tests for the ledger: breaks symbols that it lists as working, one by one, and checks
/// that the first test marked with the symbol fails.
///
/// Works on a copy of the tree in `.build/audit/tree`, whose manifest has only the targets that the
/// tests need. Each test must first pass without a mutation; otherwise its failure proves nothing.
/// In a random selection, symbols that no known mutation can break are skipped. A mutation that
/// doesn't compile is reported and not counted. At most one in twenty of the tested mutations may
/// survive.
struct Audit {
    let root: URL
    let request: Request

    enum Request {
        /// A number of working symbols, selected at random by the seed.
        case some(count: Int, seed: UInt64)
        /// These symbols. Each must work and have a value or body that a known mutation can break.
        case named([String])
    }

    private enum Outcome {
        case killed, survived, notBuilt
    }

    private struct Case {
        let symbol: String
        let test: TestMark
        let mutation: Mutation

        /// The test target, such as "OpenHealthKitTests" for
        /// "Tests/OpenHealthKitTests/HKUnitTests.swift".
        var target: String { String(test.file.split(separator: "/")[1]) }
        var filter: String { "^\(target)\\.(.*/)?\(test.name)([(/]|$)" }
    }

    private var copy: URL { root.appending(path: ".build/audit/tree") }

    func run() throws {
        let (cases, count) = try selectedCases()
        try makeCopy(testing: Set(cases.map(\.target)))
        try shell("swift build --build-tests >audit.log 2>&1")
        var (done, survivors, passing) = (0, [String](), Set<String>())
        for item in cases where done < count {
            if !passing.contains(item.filter) {
                guard try status(testing(item)) == 0 else {
                    throw LedgerError("\(item.test.name) fails before anything is broken")
                }
                passing.insert(item.filter)
            }
            let outcome = try outcome(of: item)
            if outcome == .notBuilt {
                report("not counted, doesn't build: \(item.symbol): \(item.mutation.summary)")
                continue
            }
            done += 1
            if outcome == .survived { survivors.append(item.symbol) }
            let word = outcome == .killed ? "noticed " : "SURVIVED"
            report("\(done)/\(count) \(word) \(item.symbol): \(item.mutation.summary)")
            if outcome == .survived { report("  by \(item.test.file): \(item.test.title)") }
        }
        report("\(done - survivors.count) of \(done) noticed")
        guard done > 0, survivors.count * 20 <= done else {
            throw LedgerError("survived: \(survivors.joined(separator: ", "))")
        }
    }

    /// Returns the symbols to break, in the order they are tried, and how many of them to test.
    ///
    /// A random selection returns up to twice that many, because some mutations don't compile.
    private func selectedCases() throws -> (cases: [Case], count: Int) {
        let tree = try SourceTree(root)
        let entries = try LedgerEntry.all(in: tree)
        switch request {
        case .some(let count, let seed):
            var generator = SplitMix64(state: seed)
            let working = entries.filter(\.works).shuffled(using: &generator)
            let mutations = try Mutation.all(of: working.map(\.symbol), root: root)
            let cases = working.compactMap { breaking($0, mutations) }
            report(
                "seed \(seed): \(cases.count) of \(working.count) symbols have what can be broken")
            return (Array(cases.prefix(count * 2)), min(count, cases.count))
        case .named(let symbols):
            let mutations = try Mutation.all(of: symbols, root: root)
            let cases = try symbols.map { symbol in
                guard let entry = entries.first(where: { $0.symbol == symbol }),
                    let item = breaking(entry, mutations)
                else { throw LedgerError("\(symbol): no working symbol that can be broken") }
                return item
            }
            return (cases, cases.count)
        }
    }

    private func breaking(_ entry: LedgerEntry, _ mutations: [String: Mutation]) -> Case? {
        guard case .works(let tests) = entry.status, let test = tests.first,
            let mutation = mutations[entry.symbol]
        else { return nil }
        return Case(symbol: entry.symbol, test: test, mutation: mutation)
    }

    /// Updates the copy of the tree, without deleting its earlier build. The manifest is reduced to
    /// the targets that the tests need.
    private func makeCopy(testing targets: Set<String>) throws {
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        let sync = "tar -C '\(root.path)' --exclude=.build --exclude=.git -cf - . | tar -C . -xf -"
        try shell("rm -rf Sources Tests Tools && \(sync)")
        let manifest = copy.appending(path: "Package.swift")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try (text + cut(to: targets)).write(to: manifest, atomically: true, encoding: .utf8)
    }

    /// Returns Swift code to append to a manifest. It removes all targets except the given ones and
    /// those that these depend on.
    private func cut(to targets: Set<String>) -> String {
        """

        var kept: Set<String> = \(targets.sorted())
        var known = 0
        while known < kept.count {
            known = kept.count
            for target in package.targets where kept.contains(target.name) {
                for dependency in target.dependencies {
                    switch dependency {
                    case .byNameItem(let name, _), .targetItem(let name, _): kept.insert(name)
                    default: break
                    }
                }
            }
        }
        package.targets.removeAll { !kept.contains($0.name) }
        package.products = []

        """
    }

    /// Builds the copy with a mutation, runs the test, and restores the file. If the build fails,
    /// the outcome says nothing about the test.
    private func outcome(of item: Case) throws -> Outcome {
        let file = copy.appending(path: item.mutation.file)
        let original = try String(contentsOf: file, encoding: .utf8)
        try item.mutation.applied(to: original).write(
            to: file, atomically: true, encoding: .utf8)
        defer { try? original.write(to: file, atomically: true, encoding: .utf8) }
        guard try status("swift build --build-tests >audit.log 2>&1") == 0 else { return .notBuilt }
        return try status(testing(item)) == 0 ? .survived : .killed
    }

    /// Returns the shell command that runs a test. The command also fails if the filter matches no
    /// test, or if the test takes more than two minutes.
    private func testing(_ item: Case) -> String {
        """
        OPENHEALTH_TESTS=all timeout 120 swift test --skip-build --filter '\(item.filter)' >audit.log 2>&1 \
        && grep -Eq 'with [1-9][0-9]* tests? .*passed' audit.log
        """
    }

    /// Writes a line without buffering, since an audit takes long and its output is often a file.
    private func report(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private func status(_ command: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = copy
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private func shell(_ command: String) throws {
        guard try status(command) == 0 else { throw LedgerError("failed: \(command)") }
    }
}

/// A seeded random number generator, so that an audit can be repeated.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
