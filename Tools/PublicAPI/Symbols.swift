import Foundation

/// The public symbols of a built module.
struct Symbols {
    /// One line for each symbol, sorted: its name with those of the enclosing types, a tab, and its
    /// declaration.
    let lines: [String]

    /// Extracts the symbols of a module and of its extensions of other modules' types.
    ///
    /// - Parameters:
    ///   - module: The name of the module, which must be built.
    ///   - build: The folder of a build configuration, such as `.build/debug`.
    /// - Throws: ``Failure`` if the symbol graphs can't be extracted or contain no symbols; an
    ///   error of Foundation if a process can't be started, or a graph can't be read or decoded.
    init(of module: String, builtIn build: String) throws {
        let output = FileManager.default.temporaryDirectory
            .appending(path: "symbols-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: output) }
        try Self.extract(module, from: build, to: output)
        let graphs = try FileManager.default.contentsOfDirectory(
            at: output, includingPropertiesForKeys: nil
        ).filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
        lines = try graphs.flatMap { try Graph(contentsOf: $0).symbols.map(\.line) }.sorted()
        guard !lines.isEmpty else { throw Failure("\(module) has no public declarations.") }
    }

    private static func extract(_ module: String, from build: String, to output: URL) throws {
        // The folders with the module maps of the C modules that the Swift modules import. The
        // checkouts are one or two levels above `build`, which may be a symbolic link.
        let maps = [
            "\(build)/../../checkouts/GRDB.swift/Sources/GRDBSQLite",
            "\(build)/../checkouts/GRDB.swift/Sources/GRDBSQLite", "Sources/CSQLiteSettings",
            "Sources/CZlib",
        ]
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "swift", "symbolgraph-extract", "-module-name", module, "-target", target,
                "-I", build + "/Modules", "-output-dir", output.path(),
                "-minimum-access-level", "public", "-skip-synthesized-members",
            ] + maps.flatMap { ["-I", $0] }
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure("The symbol graph of \(module) can't be extracted: build it first.")
        }
    }

    #if arch(arm64)
        private static let target = "aarch64-unknown-linux-gnu"
    #else
        private static let target = "x86_64-unknown-linux-gnu"
    #endif
}

/// The part of a symbol graph file that is decoded.
private struct Graph: Decodable {
    let symbols: [Symbol]

    struct Symbol: Decodable {
        let pathComponents: [String]
        let declarationFragments: [Fragment]

        var line: String {
            let declaration = declarationFragments.map(\.spelling).joined()
                .split(whereSeparator: \.isNewline)
                .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
            return pathComponents.joined(separator: ".") + "\t" + declaration
        }
    }

    struct Fragment: Decodable {
        let spelling: String
    }

    init(contentsOf file: URL) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }
}
