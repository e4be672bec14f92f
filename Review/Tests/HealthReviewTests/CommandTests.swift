import Foundation
import Testing

@testable import HealthReview

/// The built command, in the folder of the tests.
enum BuiltCommand {
    /// The command's file; nil if only the library was built.
    static let file: URL? = {
        let folders = [
            Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent(),
        ]
        return folders.compactMap { $0?.appending(path: "openhealth-review") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path()) }
    }()
}

/// A run of the built command.
private struct Command {
    let status: Int32
    let output: String
    let errors: String

    init(_ arguments: [String], in folder: String) throws {
        let process = Process()
        process.executableURL = BuiltCommand.file
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = ["NO_COLOR": "1"]
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        try process.run()
        // Both outputs are far smaller than a pipe's buffer.
        output = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        errors = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}

@Suite("the command openhealth-review", .enabled(if: BuiltCommand.file != nil))
struct CommandTests {
    private static let careless = """
        import HealthKit
        let sum = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.heartRate)), options: .cumulativeSum)
        """

    @Test("prints as compilers do and exits with 3, or 0 below --fail-on's severity")
    func findings() throws {
        let tree = try TemporaryTree([
            "a.swift": Self.careless,
            "b.swift": "// openhealth:ignore statistics-options for nothing\nlet a = 1\n",
        ])
        let run = try Command([".", "--notes"], in: tree.path)
        #expect(run.status == 3)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("a.swift:3:76: error: ") == true)
        #expect(lines.last?.hasPrefix("b.swift:1:1: note: ") == true)
        #expect(run.output.contains("[statistics-options]\n"))
        #expect(run.errors.hasPrefix("2 files, 5 lines: 1 error, 1 note."))
        let plain = try Command(["."], in: tree.path)
        #expect(plain.output == "\(lines.first ?? "")\n")
        #expect(plain.errors.hasPrefix("2 files, 5 lines: 1 error. 1 note not shown: --notes."))
        #expect(plain.errors.contains("Why statistics-options (a.swift:3):\n  HealthKit raises"))
        #expect(plain.errors.hasSuffix("--explain statistics-options\n"))
        #expect(try Command(["b.swift"], in: tree.path).status == 0)
        #expect(try Command(["b.swift", "--fail-on", "note"], in: tree.path).status == 3)
    }

    @Test("exits with 2 for what it can't read, 1 for what isn't there, 64 for wrong words")
    func failures() throws {
        let tree = try TemporaryTree(["cut.swift": "func f( {", "a.swift": "let a = 1\n"])
        let half = try Command(["."], in: tree.path)
        #expect(half.status == 2)
        #expect(half.errors.contains("cut.swift:1:"))
        let missing = try Command(["nowhere"], in: tree.path)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("nowhere"))
        #expect(missing.output.isEmpty)
        #expect(try Command(["--no-such"], in: tree.path).status == 64)
        #expect(try Command(["--explain", "no-such"], in: tree.path).status == 64)
        #expect(try Command(["a.swift"], in: tree.path).status == 0)
    }

    @Test("prints absolute paths for Xcode, and fails a build only for errors")
    func xcode() throws {
        let warned = """
            import HealthKit
            func total(_ samples: [HKQuantitySample], _ unit: HKUnit) -> Double {
                // openhealth:ignore unit-strin a name with a mistake
                0
            }
            """
        let tree = try TemporaryTree(["a.swift": Self.careless, "b.swift": warned])
        let run = try Command(["a.swift", "--xcode"], in: tree.path)
        #expect(run.status == 3)
        #expect(run.output.hasPrefix(tree.path + "/a.swift:3:76: error: "))
        let warning = try Command(["b.swift", "--xcode"], in: tree.path)
        #expect(warning.output.contains("/b.swift:3:5: warning: "))
        #expect(warning.status == 0)
        #expect(try Command(["b.swift"], in: tree.path).status == 3)
    }

    @Test("lists its rules, explains one, and answers in JSON and SARIF")
    func answers() throws {
        let tree = try TemporaryTree(["a.swift": Self.careless])
        let rules = try Command(["--rules"], in: tree.path)
        #expect(rules.status == 0)
        #expect(rules.output.split(separator: "\n").count == RuleDescription.all.count)
        let page = try Command(["--explain", "summed-samples"], in: tree.path)
        #expect(page.output.hasPrefix("# summed-samples\n"))
        for format in ["--json", "--sarif"] {
            let run = try Command([format, "."], in: tree.path)
            #expect(run.status == 3)
            let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            #expect((object as? [String: Any])?["version"] != nil)
        }
    }

    @Test("a baseline hides what is known, and says what is gone")
    func baselines() throws {
        let tree = try TemporaryTree(["a.swift": Self.careless])
        #expect(try Command([".", "--write-baseline", "known.json"], in: tree.path).status == 0)
        let again = try Command([".", "--baseline", "known.json"], in: tree.path)
        #expect(again.status == 0)
        #expect(again.output.isEmpty)
        try tree.write("let a = 1\n", to: "a.swift")
        let gone = try Command([".", "--baseline", "known.json"], in: tree.path)
        #expect(gone.errors.contains("no longer found"))
        #expect(gone.errors.contains("statistics-options"))
    }
}
