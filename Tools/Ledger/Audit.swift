import Foundation

/// Mutation tests for the ledger: breaks symbols that it lists as working, one by one, and checks
/// that a test marked with the symbol fails.
///
/// One build contains many broken symbols, each behind a condition. A run of a test selects one of
/// them through the environment. The few symbols that can't be broken in this way get a build each.
/// The tests must first pass with nothing broken; otherwise its failure proves nothing. In a random
/// selection, symbols that no known mutation can break are skipped. A mutation that doesn't compile
/// is reported and not counted. At most one in twenty of the tested mutations may survive.
struct Audit {
    let root: URL
    let request: Request

    enum Request {
        /// A number of working symbols, selected at random by the seed.
        case some(count: Int, seed: UInt64)
        /// These symbols. Each must work and have a value or body that a known mutation can break.
        case named([String])
    }

    struct Case {
        let symbol: String
        /// The tests marked with the symbol, at least one.
        let tests: [TestMark]
        let mutation: Mutation

        /// The test targets of the tests.
        var targets: Set<String> { Set(tests.map(target)) }

        /// Matches the tests, and no others.
        var filter: String {
            tests.map { "^\(target($0))\\.(.*/)?\($0.name)([(/]|$)" }.joined(separator: "|")
        }

        /// Returns a test's target, such as "OpenHealthKitTests" for
        /// "Tests/OpenHealthKitTests/HKUnitTests.swift". One target has the folder of another one.
        private func target(_ test: TestMark) -> String {
            test.file.hasPrefix("Tests/ConformanceTests/Portable/")
                ? "PortableConformance" : String(test.file.split(separator: "/")[1])
        }
    }

    func run() throws {
        let (cases, count) = try selectedCases()
        let copy = AuditCopy(root: root, targets: Set(cases.flatMap(\.targets)))
        try copy.make()
        var (done, survivors, passing) = (0, [String](), Set<String>())
        var failing: Set<String> = []
        for batch in AuditBatch.batches(of: cases) where done < count {
            let built = try copy.build(batch)
            for item in batch.cases where !built.contains(where: { $0.case.symbol == item.symbol })
            {
                report("not counted, doesn't build: \(item.symbol): \(item.mutation.summary)")
            }
            for item in built where done < count {
                if !passing.contains(item.case.filter) {
                    // Without a switch, what is broken in this build can't be whole again.
                    guard item.key == nil || copy.passes(item.case, broken: nil) else {
                        failing.formUnion(item.case.tests.map(\.name))
                        report("not counted, fails unbroken: \(item.case.symbol)")
                        continue
                    }
                    if item.key != nil { passing.insert(item.case.filter) }
                }
                done += 1
                let survived = copy.passes(item.case, broken: item.key)
                if survived { survivors.append(item.case.symbol) }
                let word = survived ? "SURVIVED" : "noticed "
                report(
                    "\(done)/\(count) \(word) \(item.case.symbol): \(item.case.mutation.summary)")
                for test in item.case.tests where survived {
                    report("  by \(test.file): \(test.title)")
                }
            }
        }
        report("\(done - survivors.count) of \(done) noticed")
        guard failing.isEmpty else {
            throw LedgerError("fails unbroken: \(failing.sorted().joined(separator: ", "))")
        }
        guard done > 0, survivors.count * 20 <= done else {
            throw LedgerError("survived: \(survivors.joined(separator: ", "))")
        }
    }

    /// Returns the symbols to break, in the order they are tried, and how many of them to test.
    ///
    /// A random selection returns up to a fifth more, because some mutations don't compile.
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
            return (Array(cases.prefix(count + count / 5 + 1)), min(count, cases.count))
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
        guard case .works(let tests) = entry.status, !tests.isEmpty,
            let mutation = mutations[entry.symbol]
        else { return nil }
        return Case(symbol: entry.symbol, tests: tests, mutation: mutation)
    }

    /// Writes a line without buffering, since an audit takes long and its output is often a file.
    private func report(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
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
