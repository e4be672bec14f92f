import Foundation

/// The configuration of a session: the command, its peers, the folder and the inputs in it.
struct BenchmarkContext {
    var openhealth: String
    var peers: Peers?
    /// The folder of inputs and stores, created anew by every session.
    var folder: String
    var scale: Scale
    /// The sizes of the suite `growth`, in records.
    var growthRecords: [Int]

    /// How much data is measured.
    enum Scale: String {
        /// A million records, and five million for memory. The limits apply to this scale.
        case full
        /// A hundred thousand records: a check of the benchmark itself, in about a minute.
        case quick

        var records: Int { self == .full ? 1_000_000 : 100_000 }
        var manyRecords: Int { self == .full ? 5_000_000 : 200_000 }
        /// The sizes of the suite `growth` if none are given.
        var growthRecords: [Int] {
            self == .full ? [100_000, 1_000_000, 5_000_000] : [100_000, 200_000]
        }
        /// The length of the history for in-process statistics, in years.
        var years: Int { self == .full ? 10 : 1 }
        /// The number of rounds for measurements that take seconds, and for those that take
        /// milliseconds.
        var longRounds: Int { self == .full ? 7 : 2 }
        var shortRounds: Int { self == .full ? 15 : 5 }
    }

    /// The export that all suites except the largest import use: ten years, with a source of day
    /// totals.
    var export: String { file("export.zip") }
    var truth: String { file("truth.json") }
    /// The store with `export` in it.
    var store: String { file("store.sqlite") }

    func file(_ name: String) -> String { "\(folder)/\(name)" }

    /// Returns a run of the command on a store.
    func openhealth(_ arguments: String..., store: String) -> Program {
        var program = Program(openhealth)
        program.arguments = arguments + ["--store", store]
        return program
    }

    /// Writes a simulated export with a number of records.
    func simulate(_ records: Int, to file: String, truth: String? = nil) throws {
        Progress.show("simulating \(Self.words(records)) records")
        var program = Program(
            openhealth, "simulate", "--records", String(records), "--years", "10", "--seed", "1",
            "--daily-app", "--out", file)
        if let truth { program.arguments += ["--truth", truth] }
        _ = try program.succeed()
    }

    /// Returns the path of the XML inside ``export`` as a separate file, which is unpacked on first
    /// use.
    func bareExport() throws -> String {
        let xml = file("export.xml")
        if FileManager.default.fileExists(atPath: xml) { return xml }
        Progress.show("unpacking the export")
        _ = try Program(
            "unzip", "-q", "-o", "-j", export, "apple_health_export/export.xml", "-d", folder
        ).succeed()
        return xml
    }

    /// Creates an empty folder, the export and a store with it.
    func prepare() throws {
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try simulate(scale.records, to: export, truth: truth)
        Progress.show("importing")
        _ = try openhealth("import", export, "--json", store: store).succeed()
    }

    /// Removes a SQLite file and the files beside it.
    func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal", ".lock"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    /// Returns the size in bytes of a SQLite file and its write-ahead log.
    func bytes(ofDatabase path: String) -> Double {
        ["", "-wal"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
            return sum + ((attributes?[.size] as? NSNumber)?.doubleValue ?? 0)
        }
    }

    /// Returns a number with thousands separators: "1,000,000".
    static func words(_ count: Int) -> String {
        var text = String(count)
        for place in stride(from: text.count - 3, to: 0, by: -3) {
            text.insert(",", at: text.index(text.startIndex, offsetBy: place))
        }
        return text
    }
}

/// One topic of a session: measures rows and checks limits.
struct Suite: Sendable {
    var name: String
    var run: @Sendable (BenchmarkContext, inout Scorecard) throws -> Void

    /// All suites, in the order in which they run. A new topic is a file with its suite, listed
    /// here.
    ///
    /// Those that need memory in this process come last: Linux counts the memory of the process
    /// that starts a program in the program's peak.
    static let all: [Suite] = [
        .imports, .manyRecords, .dailySteps, .oneDay, .statistics, .healthKit, .sync, .pages,
        .growth, .receiving, .manyPeople, .peopleSizing,
    ]

    /// Suites that take so long that they run only if they are named.
    static let onRequest: Set<String> = [Suite.peopleSizing.name]
    /// Suites that a quick session omits unless they are named.
    static let notQuick: Set<String> = [Suite.growth.name]
}

/// Decodes a program's JSON output.
func decoded<Value: Decodable>(_ type: Value.Type, from data: Data) throws(Failure) -> Value {
    do {
        return try JSONDecoder().decode(type, from: data)
    } catch {
        throw Failure("An answer is not the JSON that was expected.")
    }
}

/// Throws if an answer is wrong, which ends its row.
func expect(_ isCorrect: Bool, _ words: @autoclosure () -> String) throws(Failure) {
    guard isCorrect else { throw Failure("Wrong answer: \(words())") }
}
