import Foundation

/// What every row is measured with: the command, its peers, a folder and the inputs in it.
struct Course {
    var openhealth: String
    var peers: Peers?
    /// Where inputs and stores go; made anew by every session.
    var folder: String
    var scale: Scale

    /// How much is measured.
    enum Scale: String {
        /// A million records, and five million for memory: what the limits speak of.
        case full
        /// A hundred thousand records: shows in a minute that the measuring works.
        case quick

        var records: Int { self == .full ? 1_000_000 : 100_000 }
        var manyRecords: Int { self == .full ? 5_000_000 : 200_000 }
        /// Of the history that is asked in process.
        var years: Int { self == .full ? 10 : 1 }
        /// Rounds of what takes seconds, and of what takes a blink.
        var longRounds: Int { self == .full ? 3 : 2 }
        var shortRounds: Int { self == .full ? 15 : 5 }
    }

    /// The export that all suites but the largest import share, of ten years with day totals.
    var export: String { file("export.zip") }
    var truth: String { file("truth.json") }
    /// The store with `export` in it.
    var store: String { file("store.sqlite") }

    func file(_ name: String) -> String { "\(folder)/\(name)" }

    /// The command on one store.
    func openhealth(_ arguments: String..., store: String) -> Program {
        var program = Program(openhealth)
        program.arguments = arguments + ["--store", store]
        return program
    }

    /// Writes a simulated export of so many records.
    func simulate(_ records: Int, to file: String, truth: String? = nil) throws {
        Progress.show("simulating \(Self.words(records)) records")
        var program = Program(
            openhealth, "simulate", "--records", String(records), "--years", "10", "--seed", "1",
            "--daily-app", "--out", file)
        if let truth { program.arguments += ["--truth", truth] }
        _ = try program.succeed()
    }

    /// The xml inside ``export`` as a file by itself; unpacked when first asked for.
    func bareExport() throws -> String {
        let xml = file("export.xml")
        if FileManager.default.fileExists(atPath: xml) { return xml }
        Progress.show("unpacking the export")
        _ = try Program(
            "unzip", "-q", "-o", "-j", export, "apple_health_export/export.xml", "-d", folder
        ).succeed()
        return xml
    }

    /// Makes an empty folder, the export and a store of it.
    func prepare() throws {
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try simulate(scale.records, to: export, truth: truth)
        Progress.show("importing")
        _ = try openhealth("import", export, "--json", store: store).succeed()
    }

    /// Removes a SQLite file and what stands beside it.
    func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal", ".lock"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    /// The bytes of a SQLite file and of what is not yet checkpointed into it.
    func bytes(ofDatabase path: String) -> Double {
        ["", "-wal"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
            return sum + ((attributes?[.size] as? NSNumber)?.doubleValue ?? 0)
        }
    }

    /// "1,000,000"
    static func words(_ count: Int) -> String {
        var text = String(count)
        for place in stride(from: text.count - 3, to: 0, by: -3) {
            text.insert(",", at: text.index(text.startIndex, offsetBy: place))
        }
        return text
    }
}

/// One topic of a session: measures rows and judges them.
struct Suite: Sendable {
    var name: String
    var run: @Sendable (Course, inout Scorecard) throws -> Void

    /// In the order in which they run; a new topic is a file with its suite and a place here.
    static let all: [Suite] = [
        .imports, .manyRecords, .dailySteps, .oneDay, .statistics, .healthKit, .sync, .pages,
    ]
}

/// Reads a program's JSON.
func decoded<Answer: Decodable>(_ type: Answer.Type, from data: Data) throws(Failure) -> Answer {
    do {
        return try JSONDecoder().decode(type, from: data)
    } catch {
        throw Failure("An answer is not the JSON that was expected.")
    }
}

/// Ends a row whose answer is not what it has to be.
func expect(_ isRight: Bool, _ words: @autoclosure () -> String) throws(Failure) {
    guard isRight else { throw Failure("Wrong answer: \(words())") }
}
