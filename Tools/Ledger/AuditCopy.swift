import Foundation

/// A copy of the tree in `.build/audit/tree`, in which symbols are broken, with a build folder of
/// its own that is kept. Its manifest has only the targets that the tests need.
struct AuditCopy {
    let root: URL
    /// The test targets.
    let targets: Set<String>

    private var copy: URL { root.appending(path: ".build/audit/tree") }

    private static let switchFile = "Sources/OpenHealthKit/BrokenSymbols.swift"
    private static let variable = "OPENHEALTH_BROKEN"

    /// The flags of the project's tests: without debug information, in few batches.
    static let flags =
        "-debug-info-format none -Xswiftc -driver-batch-size-limit -Xswiftc 1000"

    /// Updates the copy, without deleting its earlier build. Times of files are kept, so only
    /// changed files are built again.
    func make() throws {
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        let sync = "tar -C '\(root.path)' --exclude=.build --exclude=.git -cf - . | tar -C . -xf -"
        try shell("rm -rf Sources Tests Tools && \(sync)")
        let manifest = copy.appending(path: "Package.swift")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try (text + cut).write(to: manifest, atomically: true, encoding: .utf8)
        try """
        import Foundation

        private let brokenSymbol =
            ProcessInfo.processInfo.environment["\(Self.variable)"]

        /// Whether a symbol is broken in this process.
        @usableFromInline func _isBroken(_ key: String) -> Bool { key == brokenSymbol }

        """.write(
            to: copy.appending(path: Self.switchFile), atomically: true, encoding: .utf8)
    }

    /// Swift code that removes all targets from the manifest except the test targets and those that
    /// they depend on.
    private var cut: String {
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

    /// Builds the copy with the changes of a batch. Changes that don't compile are left out.
    ///
    /// - Returns: The cases of the build, each with the key that selects it; nil for one that is
    ///   always broken.
    /// - Throws: `LedgerError` if the build fails for another reason.
    func build(_ batch: AuditBatch) throws -> [(case: Audit.Case, key: String?)] {
        var batch = batch
        let originals = try Dictionary(
            uniqueKeysWithValues: batch.files.map { file in
                (file, try String(contentsOf: copy.appending(path: file), encoding: .utf8))
            })
        defer {
            for (file, text) in originals { try? write(text, to: file) }
        }
        while !batch.cases.isEmpty {
            var lines: [String: [(symbol: String, lines: ClosedRange<Int>)]] = [:]
            for (file, text) in originals {
                let applied = batch.applied(to: text, of: file)
                try write(applied.text, to: file)
                lines[file] = applied.lines
            }
            if try status("swift build --build-tests \(Self.flags) >audit.log 2>&1") == 0 {
                return batch.cases.map { ($0, batch.isSwitched ? $0.mutation.switched?.key : nil) }
            }
            let failed = try symbolsWithErrors(lines)
            guard !failed.isEmpty else {
                throw LedgerError("the copy doesn't build: \(copy.path)/audit.log")
            }
            batch = batch.without(failed)
        }
        return []
    }

    /// Writes a file unless it has that text already, because a newer time means another build.
    private func write(_ text: String, to file: String) throws {
        let url = copy.appending(path: file)
        guard try String(contentsOf: url, encoding: .utf8) != text else { return }
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    /// Returns the symbols whose changed lines have errors in the log of the last build.
    private func symbolsWithErrors(
        _ lines: [String: [(symbol: String, lines: ClosedRange<Int>)]]
    ) throws -> Set<String> {
        let log = try String(contentsOf: copy.appending(path: "audit.log"), encoding: .utf8)
        var symbols: Set<String> = []
        for row in log.split(separator: "\n") {
            guard let error = row.range(of: ": error: ") else { continue }
            let place = row[..<error.lowerBound].split(separator: ":")
            guard place.count == 3, let line = Int(place[1]) else { continue }
            for (file, changes) in lines where place[0].hasSuffix("/" + file) {
                for change in changes where change.lines.contains(line) {
                    symbols.insert(change.symbol)
                }
            }
        }
        return symbols
    }

    /// Whether a case's tests pass. False also if the filter matches no test, and if they take more
    /// than two minutes.
    ///
    /// - Parameters:
    ///   - item: The case.
    ///   - key: The key of the broken symbol; nil for none.
    func passes(_ item: Audit.Case, broken key: String?) -> Bool {
        let command = """
            \(Self.variable)='\(key ?? "")' OPENHEALTH_TESTS=all timeout 120 \
            "$(echo .build/debug/*PackageTests.xctest)" --testing-library swift-testing \
            --filter '\(item.filter)' >audit.log 2>&1 \
            && grep -Eq 'with [1-9][0-9]* tests? .*passed' audit.log
            """
        return (try? status(command)) == 0
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
