import Foundation

/// Breaks symbols that the ledger says work, one by one, and sees whether the named test notices.
///
/// Works on a copy of the tree under `.build/audit`, built once before the first break. A test that
/// doesn't fail, or a break that can't be made, is named; at most one in twenty may survive.
struct Audit {
    let root: URL
    let count: Int
    let seed: UInt64

    private var copy: URL { root.appending(path: ".build/audit/tree") }

    func run() throws {
        let entries = try LedgerEntry.all(in: SourceTree(root))
        var generator = SplitMix64(state: seed)
        var chosen: [Case] = []
        let sources = try SourceTree(root).sources
        for entry in entries.shuffled(using: &generator) where chosen.count < count {
            guard case .works(let tests) = entry.status, let test = tests.first,
                let mutation = Mutation(of: entry.symbol, in: sources)
            else { continue }
            chosen.append(Case(symbol: entry.symbol, test: test, mutation: mutation))
        }
        print("seed \(seed): \(chosen.count) symbols")
        try makeCopy()
        try shell("swift build --build-tests >/dev/null")
        var survivors: [String] = []
        for (index, item) in chosen.enumerated() {
            let isNoticed = try isNoticed(item)
            if !isNoticed { survivors.append(item.symbol) }
            print(
                "\(index + 1)/\(chosen.count) \(isNoticed ? "noticed " : "SURVIVED") \(item.symbol)"
            )
        }
        print("\(chosen.count - survivors.count) of \(chosen.count) noticed")
        guard survivors.count * 20 <= chosen.count else {
            throw LedgerError("survived: \(survivors.joined(separator: ", "))")
        }
    }

    private struct Case {
        let symbol: String
        let test: TestMark
        let mutation: Mutation
    }

    private func makeCopy() throws {
        try FileManager.default.createDirectory(
            at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? FileManager.default.removeItem(at: copy.appending(path: "Sources"))
        try shell(
            "mkdir -p '\(copy.path)' && tar -C '\(root.path)' --exclude=.build --exclude=.git -cf - . "
                + "| tar -C '\(copy.path)' -xf -", in: root)
    }

    /// A build that the break spoils says nothing about the test, and is not counted as noticed.
    private func isNoticed(_ item: Case) throws -> Bool {
        let file = copy.appending(path: item.mutation.file)
        let original = try String(contentsOf: file, encoding: .utf8)
        try item.mutation.text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? original.write(to: file, atomically: true, encoding: .utf8) }
        let build = try status("swift build --build-tests >audit.log 2>&1")
        if build != 0 {
            print("  doesn't build: \(item.mutation.summary)")
            return false
        }
        let target = item.test.file.split(separator: "/")[1]
        let filter = "'^\(target)\\.(.*/)?\(item.test.name)([(/]|$)'"
        let failed = try status(
            "timeout 120 swift test --skip-build --filter \(filter) >audit.log 2>&1"
        )
        if failed == 0 { print("  \(item.mutation.summary) — \(item.test.name)") }
        return failed != 0
    }

    private func status(_ command: String, in folder: URL? = nil) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = folder ?? copy
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private func shell(_ command: String, in folder: URL? = nil) throws {
        guard try status(command, in: folder) == 0 else { throw LedgerError("failed: \(command)") }
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
