import Foundation

/// Generates the ledger, `Documentation/Compatibility.md`, from the tables in `Data/`, the rules
/// and the marks on tests. Audits the ledger with mutations.
///
///     swift run Ledger                        write the document
///     swift run Ledger --check                exit with 1 if it is stale
///     swift run Ledger audit [COUNT] [SEED]   break symbols one by one; their tests must fail
///     swift run Ledger audit SYMBOL…          break these symbols
@main
struct Ledger {
    static let document = "Documentation/Compatibility.md"

    static func main() {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            let root = URL(filePath: FileManager.default.currentDirectoryPath)
            switch arguments.first {
            case nil: try write(try render(root), root)
            case "--check": try check(try render(root), root)
            case "audit":
                try Audit(root: root, request: request(Array(arguments.dropFirst()))).run()
            case let other?: throw LedgerError("\(other): not understood")
            }
        } catch {
            FileHandle.standardError.write(Data("Ledger: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func request(_ arguments: [String]) -> Audit.Request {
        guard let first = arguments.first else {
            return .some(count: 40, seed: .random(in: 1...9999))
        }
        guard let count = Int(first) else { return .named(arguments) }
        let seed = arguments.dropFirst().first.flatMap { UInt64($0) }
        return .some(count: count, seed: seed ?? .random(in: 1...9999))
    }

    /// Returns the text that ``document`` must have.
    static func render(_ root: URL) throws -> String {
        let tree = try SourceTree(root)
        return LedgerDocument(
            entries: try LedgerEntry.all(in: tree), rules: try RuleRow.all(in: tree),
            choices: try ChoiceRow.all(in: tree)
        ).text
    }

    private static func write(_ text: String, _ root: URL) throws {
        try text.write(to: root.appending(path: document), atomically: true, encoding: .utf8)
    }

    private static func check(_ text: String, _ root: URL) throws {
        let stored = try String(contentsOf: root.appending(path: document), encoding: .utf8)
        guard stored == text else { throw LedgerError("\(document) is stale; run `make ledger`") }
    }
}

struct LedgerError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The files that the ledger is generated from. Paths are relative to the repository's root.
struct SourceTree {
    let root: URL
    /// The texts of the Swift files of the targets that declare Apple's names, by path.
    let sources: [String: String]
    /// The texts of the Swift files of the tests, by path.
    let tests: [String: String]
    /// The text of `Documentation/Conformance.tsv`, the table of the rules in Semantics.
    let conformance: String

    init(_ root: URL) throws {
        self.root = root
        sources = try ["FoundationGaps", "OpenHealthKit"].reduce(into: [:]) { files, room in
            files.merge(try SourceTree.swift(under: "Sources/\(room)", root)) { first, _ in first }
        }
        tests = try SourceTree.swift(under: "Tests", root)
        conformance = try String(
            contentsOf: root.appending(path: "Documentation/Conformance.tsv"), encoding: .utf8)
    }

    func data(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: "Data/\(name)"), encoding: .utf8)
    }

    private static func swift(under folder: String, _ root: URL) throws -> [String: String] {
        var files: [String: String] = [:]
        let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        while let path = paths?.nextObject() as? String {
            guard path.hasSuffix(".swift") else { continue }
            files["\(folder)/\(path)"] = try String(
                contentsOf: root.appending(path: "\(folder)/\(path)"), encoding: .utf8)
        }
        return files
    }
}
