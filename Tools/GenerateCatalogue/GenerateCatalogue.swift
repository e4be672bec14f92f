import Foundation

/// Generates Swift from the facts in `Data/`: tables in `Sources/HealthEngine/Generated/`, Apple's
/// names in `Sources/OpenHealthKit/Generated/`, codes in `Sources/HealthFormats/Generated/`.
///
///     swift run GenerateCatalogue                  write the files
///     swift run GenerateCatalogue --check          if files are stale, list them and exit with 1
///     swift run GenerateCatalogue --output DIR     write to DIR instead of Sources
///     swift run GenerateCatalogue --data DIR       read the facts from DIR
@main
struct GenerateCatalogue {
    static func main() {
        do {
            try Command(arguments: Array(CommandLine.arguments.dropFirst())).run()
        } catch let stale as StaleTables {
            complain("stale: \(stale.files.joined(separator: ", ")); run `make catalogue`")
        } catch {
            complain("\(error)")
        }
    }

    private static func complain(_ message: String) -> Never {
        FileHandle.standardError.write(Data("GenerateCatalogue: \(message)\n".utf8))
        exit(1)
    }
}

private struct StaleTables: Error {
    var files: [String]
}

private struct Command {
    enum Mode { case write, check }
    struct UnknownArgument: Error, CustomStringConvertible {
        var argument: String
        var description: String { "\(argument): not understood, or a folder is missing after it" }
    }

    var mode = Mode.write
    var data = URL(filePath: "Data", directoryHint: .isDirectory)
    var output = URL(filePath: "Sources", directoryHint: .isDirectory)

    init(arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--check": mode = .check
            case "--output": output = try Command.directory(&rest, after: argument)
            case "--data": data = try Command.directory(&rest, after: argument)
            default: throw UnknownArgument(argument: argument)
            }
        }
    }

    private static func directory(
        _ rest: inout ArraySlice<String>, after argument: String
    ) throws -> URL {
        guard let path = rest.popFirst() else { throw UnknownArgument(argument: argument) }
        return URL(filePath: path, directoryHint: .isDirectory)
    }

    func run() throws {
        var stale: [String] = []
        for target in GeneratedTables.Target.allCases {
            let tables = try GeneratedTables(target, data: data)
            let folder = output.appending(path: target.folder)
            switch mode {
            case .write: try tables.write(to: folder)
            case .check: stale += tables.stale(in: folder)
            }
        }
        if !stale.isEmpty { throw StaleTables(files: stale) }
    }
}
