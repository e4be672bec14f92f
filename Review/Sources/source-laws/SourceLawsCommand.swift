import ArgumentParser
import Foundation
import SourceLaws

/// The `source-laws` command: checks the repository's Swift against its laws, lists long or deeply
/// nested functions, and creates mutations.
@main
struct SourceLawsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source-laws",
        abstract: "The laws of this repository's own Swift.",
        subcommands: [Check.self, Functions.self, Mutate.self])
}

/// Prints the places that break a law, one per line, as "file:line: problem [law]". Exits with 1 if
/// there are any.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print where the tree breaks a law; exit 1 if it does.")

    @Argument(help: "The repository's root.")
    var root = "."

    @Option(help: "Only this law; all by default.")
    var law: [String] = []

    func validate() throws {
        for name in law where !Law.all.contains(where: { $0.name == name }) {
            let names = Law.all.map(\.name).joined(separator: ", ")
            throw ValidationError("\(name): no law; there are \(names)")
        }
    }

    func run() throws {
        let laws = law.isEmpty ? Law.all : Law.all.filter { law.contains($0.name) }
        let tree = try SourceTree(root: root)
        let violations = tree.violations(of: laws)
        for (law, violation) in violations { print("\(violation) [\(law.name)]") }
        print("\(tree.files.count) files, \(laws.count) laws, violations: \(violations.count)")
        if !violations.isEmpty { throw ExitCode.failure }
    }
}

/// Prints the length and depth of handwritten functions above one of the given limits, by file and
/// line.
struct Functions: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print functions longer or deeper than given: path, line, name, lines, depth.")

    @Argument(help: "The repository's root.")
    var root = "."

    @Option(help: "Functions of more lines.")
    var lines = 60

    @Option(help: "Functions nested deeper.")
    var depth = 4

    func run() throws {
        for file in try SourceTree(root: root).handwritten {
            for function in file.functions where function.lines > lines || function.depth > depth {
                print(
                    [
                        "\(file.path):\(function.line)", function.name, "\(function.lines)",
                        "\(function.depth)",
                    ].joined(separator: "\t"))
            }
        }
    }
}

/// Prints mutations of symbols, one JSON object per line. Skips symbols that can't be broken.
struct Mutate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print how symbols are broken, as lines of JSON; none for what can't be.",
        discussion: "Reads symbols from standard input where none is given.")

    @Argument(help: "The repository's root.")
    var root: String

    @Argument(help: "As in Documentation/Compatibility.md: 'HKQuantity.doubleValue(for:)'.")
    var symbols: [String] = []

    @Option(help: "Where the symbols are declared, from the root.")
    var folder = "Sources/OpenHealthKit"

    func run() throws {
        let source = try MutableSource(root: root, folder: folder)
        var names = symbols
        while symbols.isEmpty, let line = readLine() { names.append(line) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for mutation in names.compactMap(source.mutation(of:)) {
            print(String(decoding: try encoder.encode(mutation), as: UTF8.self))
        }
    }
}
