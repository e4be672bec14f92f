import Foundation
import HealthTesting
import Testing

/// The output of `openhealth export`, read by other programs.
@Suite(.inTestAll) struct ExportTests {
    /// Names with characters that are difficult in a line of text.
    static let names = [
        "Watch, \"left\"", "two\nlines\r\nmore", "שעון של אנה \u{202E}abc", "'=1+1", "",
        "Anna’s Apple\u{A0}Watch",
    ]

    /// The same names in CSV: without formulas and without changes of writing direction.
    static let namesInCSV = names.map {
        ($0.hasPrefix("'=") ? "'" : "") + $0.replacing("\u{202E}", with: "\u{FFFD}")
    }

    @Test("unusual names are complete in JSON lines and harmless in CSV")
    func awkward() throws {
        let folder = try TemporaryFolder()
        let store = try UnusualNamesStore(in: folder)
        let csv = try store.export("csv")
        let rows = try #require(CSVTable(csv))
        #expect(rows.count == Self.names.count)
        #expect(Set(rows.map { $0["source"] ?? "" }) == Set(Self.namesInCSV))
        let lines = try store.export("jsonl").split(separator: "\n").map {
            try #require(
                JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let inCSV = Dictionary(uniqueKeysWithValues: zip(Self.names, Self.namesInCSV))
        let sources = lines.map { ($0["source"] as? String).flatMap { inCSV[$0] } }
        #expect(sources == rows.map { $0["source"] })
        #expect(lines.map { $0["uuid"] as? String } == rows.map { $0["uuid"] })
        #expect(lines.map { $0["start"] as? String } == rows.map { $0["start"] })
        for (row, line) in zip(rows, lines) {
            #expect(row["value"] == "12.5")
            #expect(line["value"] as? Double == 12.5)
            #expect(row["start"]?.hasSuffix("+02:00") == true)
            let metadata = try #require(line["metadata"] as? [String: String])
            #expect(metadata["a \"note\",\nsaid"] == line["source"] as? String)
        }
    }

    @Test("every sample of every kind of two devices comes out once, the same bytes every time")
    func wholeStore() throws {
        let person = try SimulatedStore.shared.get()
        let file = try person.export("csv", "whole.csv")
        let rows = try #require(CSVTable(file))
        let types = try #require(try person.run(["types", "--json"]).object?["types"])
        let listed = try #require(types as? [[String: Any]])
        #expect(rows.count == listed.compactMap { $0["samples"] as? Int }.reduce(0, +))
        #expect(Set(rows.compactMap { $0["uuid"] }).count == rows.count)
        #expect(try person.export("csv", "again.csv") == file)
        let workouts = rows.filter { $0["type"] == "HKWorkoutTypeIdentifier" }
        #expect(!workouts.isEmpty)
        #expect(workouts.allSatisfy { $0["detail"]?.contains("\"totals\":{\"") == true })
        let pressures = rows.filter { $0["type"] == "HKCorrelationTypeIdentifierBloodPressure" }
        let uuids = Set(rows.compactMap { $0["uuid"] })
        #expect(!pressures.isEmpty)
        for pressure in pressures {
            let members = try JSONSerialization.jsonObject(
                with: Data((pressure["members"] ?? "").utf8))
            let list = try #require(members as? [String])
            #expect(list.count == 2 && uuids.isSuperset(of: list))
        }
    }

    @Test("the merged timeline of a day adds up to what stats says, type by type")
    func merged() throws {
        let person = try SimulatedStore.shared.get()
        let file = try person.export("csv", "merged.csv", ["--merged"])
        let rows = try #require(CSVTable(file))
        #expect(Set(rows.compactMap { $0["source"] }).count > 1)
        for type in Set(rows.compactMap { $0["type"] }) {
            var sums: [String: Double] = [:]
            for row in rows where row["type"] == type {
                let day = String(try #require(row["start"]).prefix(10))
                sums[day, default: 0] += try #require(Double(row["value"] ?? ""))
            }
            let stats = try #require(
                CSVTable(try person.run(["stats", type, "--csv"]).output))
            #expect(stats.count == sums.count)
            for bucket in stats {
                let day = String(try #require(bucket["start"]).prefix(10))
                let sum = try #require(Double(bucket["sum"] ?? ""))
                #expect(abs((sums[day] ?? .nan) - sum) <= 1e-9 * max(1, sum), "\(type) \(day)")
            }
        }
    }

    @Test(
        "a database holds every sample, or with --merged every stretch that a CSV has, and no store"
    )
    func database() throws {
        let person = try SimulatedStore.shared.get()
        let folder = try TemporaryFolder()
        let csv = try #require(CSVTable(try person.export("csv", "for-sql.csv")))
        let out = folder.path + "/plain.sqlite"
        let run = try person.run(["export", "--format", "sqlite", "--out", out, "--json"])
        #expect(run.status == 0 && run.object?["samples"] as? Int == csv.count)
        #expect(try Self.header(out) == "SQLite format 3\0")
        let merged = try #require(
            CSVTable(try person.export("csv", "for-sql-merged.csv", ["--merged"])))
        let mergedIntervals = try person.run([
            "export", "--format", "sqlite", "--merged", "--out", out, "--force", "--json",
        ])
        #expect(mergedIntervals.object?["stretches"] as? Int == merged.count)
        let opened = try CommandRun(["types"], store: out)
        #expect(opened.status == 1 && opened.errors.contains("another program"))
        let beside = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(beside == ["plain.sqlite"])
        for refused in [
            ["--format", "sqlite", "--out", "-"],
            ["--format", "csv", "--out", "-", "--characteristics"],
            ["--format", "csv", "--out", ""],
        ] {
            #expect(try person.run(["export"] + refused).status == 64)
        }
    }

    private static func header(_ path: String) throws -> String {
        let file = try #require(FileHandle(forReadingAtPath: path))
        defer { try? file.close() }
        return String(decoding: try file.read(upToCount: 16) ?? Data(), as: UTF8.self)
    }

    @Test("a store is not replaced by an export of itself, not even with --force")
    func ownStore() throws {
        let folder = try TemporaryFolder()
        let store = try UnusualNamesStore(in: folder)
        for name in [store.path, store.path + "-wal", store.path + ".lock"] {
            let run = try CommandRun(
                ["export", "--format", "csv", "--out", name, "--force"], store: store.path)
            #expect(run.status == 1 && run.errors.contains("a health store"))
        }
        #expect(CSVTable(try store.export("csv"))?.count == Self.names.count)
    }

    @Test(
        "routes are points in JSON lines, and are said to be left out of CSV; workouts tells them")
    func routes() throws {
        let person = try SimulatedStore.shared.get()
        let workouts = try #require(try person.run(["workouts", "--json"]).object?["workouts"])
        let list = try #require(workouts as? [[String: Any]])
        let points = list.compactMap { $0["routePoints"] as? Int }.reduce(0, +)
        let routes = list.compactMap { $0["routes"] as? Int }.reduce(0, +)
        #expect(points > 1000 && routes > 10)
        let lines = try person.export("jsonl", "routes.jsonl", ["workout"])
        #expect(lines.components(separatedBy: "\"latitude\":").count - 1 == points)
        let csv = try person.run([
            "export", "--format", "csv", "--out", person.folder.path + "/routes.csv", "--force",
            "--json",
        ])
        let losses = try #require(csv.object?["notHeld"] as? [[String: Any]])
        let withPoints = list.count { ($0["routePoints"] as? Int ?? 0) > 0 }
        #expect(losses.first?["what"] as? String == "routePoints")
        #expect(losses.first?["count"] as? Int == withPoints)
        let text = try person.run(["workouts"]).output
        #expect(
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
                "have a route."))
        #expect(text.contains("no points"))
    }

    @Test("the merged timeline of readings is exported where their type is named, and only there")
    func mergedReadings() throws {
        let person = try SimulatedStore.shared.get()
        let arguments = ["--merged", "--format", "csv", "--out", "-"]
        let named = try person.run(["export", "heartRate"] + arguments)
        #expect(named.status == 0)
        let rows = try #require(CSVTable(named.output))
        #expect(!rows.isEmpty && rows.allSatisfy { $0["type"]?.hasSuffix("HeartRate") == true })
        let all = try #require(CSVTable(try person.run(["export"] + arguments).output))
        #expect(!all.isEmpty && !all.contains { $0["type"]?.hasSuffix("HeartRate") == true })
    }

    @Test("a file that is there stays as it is without --force, and nothing is left beside it")
    func overwriting() throws {
        let folder = try TemporaryFolder()
        let store = try UnusualNamesStore(in: folder)
        let path = folder.path + "/mine.csv"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        let arguments = ["export", "--format", "csv", "--out", path]
        let refused = try CommandRun(arguments, store: store.path)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("--force"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        let forced = try CommandRun(arguments + ["--force"], store: store.path)
        #expect(forced.status == 0)
        #expect(CSVTable(try String(contentsOfFile: path, encoding: .utf8))?.count == 6)
        let beside = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!beside.contains { $0.hasSuffix(".partial") })
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("an empty store gives the names of the columns and says that nothing is there")
    func empty() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/empty.sqlite"
        let nothing = folder.path + "/export.xml"
        try Data("<HealthData locale=\"de_DE\"></HealthData>".utf8)
            .write(to: URL(fileURLWithPath: nothing))
        #expect(try CommandRun(["import", nothing], store: path).status == 0)
        let out = folder.path + "/empty.csv"
        let run = try CommandRun(["export", "--format", "csv", "--out", out], store: path)
        #expect(run.status == 0)
        #expect(run.errors.contains("nothing was recorded"))
        #expect(CSVTable(try String(contentsOfFile: out, encoding: .utf8))?.isEmpty == true)
        let lines = try CommandRun(["export", "--format", "jsonl", "--out", "-"], store: path)
        #expect(lines.status == 0 && lines.output.isEmpty)
    }

    @Test("a closed pipe ends the export without a message")
    func brokenPipe() throws {
        let person = try SimulatedStore.shared.get()
        // A server in the tests' process ignores SIGPIPE, and children inherit that.
        let run = try person.shell(
            "env --default-signal=PIPE \"$0\" export --format csv --out - | head -n 1")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("type,day,start,end,value,"))
        #expect(run.errors.isEmpty)
    }

    @Test("a full disk ends the export with a sentence and leaves no file behind")
    func fullDisk() throws {
        let person = try SimulatedStore.shared.get()
        let device = try person.shell("\"$0\" export --format csv --out - > /dev/full")
        #expect(device.status == 1)
        #expect(device.errors.contains("can't be written"))
        // A file size limit simulates a full disk without special permissions.
        let folder = try TemporaryFolder()
        let limited = try person.shell(
            "ulimit -f 256; \"$0\" export --format jsonl --out \(folder.path)/all.jsonl"
        )
        #expect(limited.status == 1)
        #expect(limited.errors.contains("all.jsonl can't be written"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}

/// A store whose sources have the names in ``ExportTests/names``, with one step record each.
struct UnusualNamesStore {
    let path: String

    init(in folder: TemporaryFolder) throws {
        path = folder.path + "/health.sqlite"
        let export = folder.path + "/export.xml"
        var xml = "<HealthData locale=\"de_DE\"><ExportDate value=\"2024-07-01 08:00:00 +0200\"/>"
        for (hour, name) in ExportTests.names.enumerated() {
            let start = "2024-06-01 0\(hour):00:00 +0200"
            xml += """
                <Record type="HKQuantityTypeIdentifierStepCount" sourceName="\(escaped(name))" \
                unit="count" creationDate="\(start)" startDate="\(start)" \
                endDate="2024-06-01 0\(hour):30:00 +0200" value="12.5"><MetadataEntry \
                key="a &quot;note&quot;,&#10;said" value="\(escaped(name))"/></Record>
                """
        }
        try Data((xml + "</HealthData>").utf8).write(to: URL(fileURLWithPath: export))
        let run = try CommandRun(
            ["import", export, "--time-zone", "Europe/Berlin"], store: path)
        guard run.status == 0 else { throw AnnasStore.ImportFailed(errors: run.errors) }
    }

    func export(_ format: String) throws -> String {
        let run = try CommandRun(["export", "--format", format, "--out", "-"], store: path)
        guard run.status == 0 else { throw AnnasStore.ImportFailed(errors: run.errors) }
        return run.output
    }

    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            "&<>\"\n\r".unicodeScalars.contains(scalar)
                ? "&#\(scalar.value);" : String(Character(scalar))
        }.joined()
    }
}

/// Forty days of a simulated person with a Watch and a phone.
final class SimulatedStore: Sendable {
    static let shared = Result { try SimulatedStore(["--records", "9000", "--seed", "7"]) }

    let folder: TemporaryFolder
    var path: String { folder.path + "/health.sqlite" }

    init(_ options: [String]) throws {
        folder = try TemporaryFolder()
        let zip = folder.path + "/export.zip"
        try succeed(["simulate", "--out", zip] + options)
        try succeed(["import", zip])
    }

    /// Creates an empty store for a test to fill.
    init(importing zip: String, in folder: TemporaryFolder) { self.folder = folder }

    /// Ranks the phone above the Watch for steps, and excludes the Watch from heart rates.
    func choose() throws {
        try succeed(["sources", "order", "stepCount", "Sam’s iPhone"])
        try succeed(["sources", "exclude", "heartRate", "Sam’s Apple Watch"])
    }

    private func succeed(_ arguments: [String]) throws {
        let run = try run(arguments)
        guard run.status == 0 else { throw AnnasStore.ImportFailed(errors: run.errors) }
    }

    func run(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(arguments, store: path)
    }

    /// Runs a shell command line in which `$0` is the command.
    func shell(_ line: String) throws -> CommandRun {
        try CommandRun(
            ["-c", line, CommandRun.executable.path], of: "/bin/sh", store: path,
            environment: ["PATH": "/usr/bin:/bin"])
    }

    func export(_ format: String, _ name: String, _ options: [String] = []) throws -> String {
        let out = folder.path + "/" + name
        let run = try run(["export", "--format", format, "--out", out, "--force"] + options)
        guard run.status == 0 else { throw AnnasStore.ImportFailed(errors: run.errors) }
        return try String(contentsOfFile: out, encoding: .utf8)
    }
}

/// Parses RFC 4180 independently: rows by the names in the first one, or nil for an invalid file.
func CSVTable(_ text: String) -> [[String: String]]? {
    var (rows, row, cell): ([[String]], [String], [UInt8]) = ([], [], [])
    var isQuoted = false
    var wasQuoted = false
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""):
            if !isQuoted, wasQuoted { cell.append(byte) }
            if !isQuoted, !wasQuoted, !cell.isEmpty { return nil }
            isQuoted.toggle()
            wasQuoted = true
        case _ where isQuoted: cell.append(byte)
        case UInt8(ascii: ","), 0x0A:
            row.append(String(decoding: cell, as: UTF8.self))
            (cell, wasQuoted) = ([], false)
            if byte == 0x0A {
                rows.append(row)
                row = []
            }
        default:
            if wasQuoted { return nil }
            cell.append(byte)
        }
    }
    guard !isQuoted, row.isEmpty, cell.isEmpty, let names = rows.first,
        rows.allSatisfy({ $0.count == names.count })
    else { return nil }
    return rows.dropFirst().map {
        Dictionary(zip(names, $0), uniquingKeysWith: { first, _ in first })
    }
}
