import Foundation

/// Breaks symbols that the ledger says work, one by one, and sees whether the named test notices.
///
/// Works on a copy of the tree under `.build/audit` that holds what the named tests need and no
/// more. Each test must first pass unbroken, or its failure would prove nothing. A symbol without
/// a value or body of its own, or whose break the compiler refuses, is passed over for the next
/// one, and the latter is named; of those that were broken, at most one in twenty may survive.
struct Audit {
    let root: URL
    let request: Request

    enum Request {
        /// So many of the working symbols, in the order that the seed gives.
        case some(count: Int, seed: UInt64)
        /// These, once more.
        case named([String])
    }

    private enum Outcome {
        case noticed, survived, refused
    }

    private struct Case {
        let symbol: String
        let test: TestMark
        let mutation: Mutation

        /// "OpenHealthKitTests" of "Tests/OpenHealthKitTests/HKUnitTests.swift".
        var target: String { String(test.file.split(separator: "/")[1]) }
        var filter: String { "^\(target)\\.(.*/)?\(test.name)([(/]|$)" }
    }

    private var copy: URL { root.appending(path: ".build/audit/tree") }

    func run() throws {
        let (cases, count) = try chosen()
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
            if outcome == .refused {
                report("not counted, doesn't build: \(item.symbol): \(item.mutation.summary)")
                continue
            }
            done += 1
            if outcome == .survived { survivors.append(item.symbol) }
            let word = outcome == .noticed ? "noticed " : "SURVIVED"
            report("\(done)/\(count) \(word) \(item.symbol): \(item.mutation.summary)")
            if outcome == .survived { report("  by \(item.test.file): \(item.test.title)") }
        }
        report("\(done - survivors.count) of \(done) noticed")
        guard done > 0, survivors.count * 20 <= done else {
            throw LedgerError("survived: \(survivors.joined(separator: ", "))")
        }
    }

    /// What may be broken, in order, and how many of it shall be.
    private func chosen() throws -> (cases: [Case], count: Int) {
        let tree = try SourceTree(root)
        let entries = try LedgerEntry.all(in: tree)
        switch request {
        case .some(let count, let seed):
            var generator = SplitMix64(state: seed)
            let working = entries.filter(\.works).shuffled(using: &generator)
            let cases = working.compactMap { breaking($0, in: tree) }
            report(
                "seed \(seed): \(cases.count) of \(working.count) symbols have what can be broken")
            // More than asked for, since the compiler will refuse some.
            return (Array(cases.prefix(count * 2)), min(count, cases.count))
        case .named(let symbols):
            let cases = try symbols.map { symbol in
                guard let entry = entries.first(where: { $0.symbol == symbol }),
                    let item = breaking(entry, in: tree)
                else { throw LedgerError("\(symbol): no working symbol that can be broken") }
                return item
            }
            return (cases, cases.count)
        }
    }

    private func breaking(_ entry: LedgerEntry, in tree: SourceTree) -> Case? {
        guard case .works(let tests) = entry.status, let test = tests.first,
            let mutation = Mutation(of: entry.symbol, in: tree.sources)
        else { return nil }
        return Case(symbol: entry.symbol, test: test, mutation: mutation)
    }

    /// What was built for the last audit stays; the manifest is cut to what the tests need.
    private func makeCopy(testing targets: Set<String>) throws {
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        let sync = "tar -C '\(root.path)' --exclude=.build --exclude=.git -cf - . | tar -C . -xf -"
        try shell("rm -rf Sources Tests Tools && \(sync)")
        let manifest = copy.appending(path: "Package.swift")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try (text + cut(to: targets)).write(to: manifest, atomically: true, encoding: .utf8)
    }

    /// Lines at a manifest's end that leave the targets which some tests need.
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

    /// A build that the break spoils says nothing about the test.
    private func outcome(of item: Case) throws -> Outcome {
        let file = copy.appending(path: item.mutation.file)
        let original = try String(contentsOf: file, encoding: .utf8)
        try item.mutation.text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? original.write(to: file, atomically: true, encoding: .utf8) }
        guard try status("swift build --build-tests >audit.log 2>&1") == 0 else { return .refused }
        return try status(testing(item)) == 0 ? .survived : .noticed
    }

    /// Fails too where the filter finds no test.
    private func testing(_ item: Case) -> String {
        """
        timeout 120 swift test --skip-build --filter '\(item.filter)' >audit.log 2>&1 \
        && grep -Eq 'with [1-9][0-9]* tests? .*passed' audit.log
        """
    }

    /// Said at once: an audit takes long, and its output is often a file.
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

/// A small generator with a seed, so that an audit can be repeated.
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
