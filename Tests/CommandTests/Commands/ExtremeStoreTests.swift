import Foundation
import HealthDashboard
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

/// Every command and page answers, whatever numbers and dates were accepted.
///
/// Each run checks some command lines, chosen by the seed; with `OPENHEALTH_TESTS=torture`, all of
/// them.
@Suite(.inTestAll) struct ExtremeStoreTests {
    private static let isLong = TestTier.isTorture
    private static let seeds: [UInt64] = isLong ? Array(1...40) : [1]

    @Test("a record of 1e19 steps, a weight of 1e19 kg and a workout of 1e22 minutes are shown")
    func threeRecords() async throws {
        let folder = try TemporaryFolder()
        let time = "startDate=\"2024-03-10 08:00:00 +0000\" endDate=\"2024-03-10 09:00:00 +0000\""
        let xml = """
            <HealthData locale="en_US"><ExportDate value="2024-04-01 10:00:00 +0000"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="A" unit="count" \
            value="1e19" \(time)/>
             <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="A" unit="kg" \
            value="1e19" \(time)/>
             <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="1e22" \
            durationUnit="min" sourceName="A" \(time)/>
            </HealthData>
            """
        let (export, store) = (folder.path + "/export.xml", folder.path + "/health.sqlite")
        try Data(xml.utf8).write(to: URL(fileURLWithPath: export))
        #expect(try CommandRun(["import", export], store: store).status == 0)
        let answers = [
            ("summary --day 2024-03-10", "1 × 10^19 steps"),
            ("explain stepCount --day 2024-03-10", "1 × 10^19"),
            ("stats stepCount", "1 × 10^19"), ("weight trend", "1 × 10^19 kg"),
            ("weight trend --unit st", "1.57 × 10^18 st"), ("workouts", "1.67 × 10^20"),
        ]
        for (line, text) in answers {
            let run = try CommandRun(line.split(separator: " ").map(String.init), store: store)
            #expect(run.status == 0, "\(line): \(run.errors)")
            #expect(run.output.contains(text), "\(line): \(run.output)")
        }
        try await ExtremePages(store).check(types: ["stepCount", "bodyMass"])
    }

    @Test("every command and page answers about an import of extreme records", arguments: seeds)
    func imported(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let types = Self.isLong ? ExtremeExport.allTypes : ExtremeExport.fewTypes(&random)
        let export = ExtremeExport(seed: seed, types: types, perType: Self.isLong ? 4 : 8)
        let path = try export.write(into: folder.path)
        let store = folder.path + "/health.sqlite"
        let run = try CommandRun(["import", path], store: store)
        #expect(run.status == 0 || run.status == 2, "seed \(seed): \(run.errors)")
        try await check(store, types, folder, "import seed \(seed)", &random)
    }

    @Test("every command and page answers about extreme samples that apps save", arguments: seeds)
    func saved(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let types = Self.isLong ? ExtremeExport.allTypes : ExtremeExport.fewTypes(&random)
        let store = folder.path + "/health.sqlite"
        var saves = ExtremeSaves(seed: seed)
        try await saves.save(types, perType: Self.isLong ? 4 : 6, into: store)
        #expect(saves.saved > saves.refused, "seed \(seed)")
        try await check(store, types, folder, "saved seed \(seed)", &random)
    }

    private func check(
        _ store: String, _ types: [SampleType], _ folder: TemporaryFolder, _ name: String,
        _ random: inout SeededRandom
    ) async throws {
        let commands = ExtremeCommands(store: store, folder: folder.path)
        let chosen = types.filter { $0.kind == .quantity || $0.kind == .category }
            .shuffled(using: &random).prefix(Self.isLong ? 30 : 1)
        let always = ["stepCount", "heartRate", "sleepAnalysis"]
        let names = always + chosen.map(\.name).filter { !always.contains($0) }
        var lines = Self.some(16, of: commands.general, &random)
        for type in names { lines += Self.some(4, of: commands.lines(of: type, &random), &random) }
        for line in lines { try commands.check(line, name) }
        try await ExtremePages(store).check(types: names + ["bodyMass"])
    }

    private static func some(
        _ count: Int, of lines: [String], _ random: inout SeededRandom
    ) -> [String] {
        isLong ? lines : Array(lines.shuffled(using: &random).prefix(count))
    }
}

/// The command lines that read a store.
struct ExtremeCommands {
    let store: String
    let folder: String

    static let days = ["0001-01-01", "1900-01-01", "2001-01-01", "2024-03-10", "9999-12-31"]

    var general: [String] {
        let all = ["types", "sources", "workouts", "imports", "grants", "check", "summary"]
            .flatMap { [$0, $0 + " --json"] }
        let summaries = Self.days.flatMap {
            ["summary --day \($0)", "summary --day \($0) --month --json"]
        }
        let weights = ["", " --by day --unit lb", " --by month --from 0001-01-01 --unit st"]
            .flatMap { ["weight trend" + $0, "weight trend --json" + $0] }
        let lists = ["weight list", "weight list --unit st", "weight list --json"]
        let exports = ["csv", "jsonl", "sqlite", "apple"].map {
            "export --format \($0) --out \(folder)/all.\($0) --force"
        }
        return all + summaries + weights + lists + exports
            + ["export --format jsonl --out -", "summary --week"]
    }

    func lines(of type: String, _ random: inout SeededRandom) -> [String] {
        let step = ["hour", "week", "month", "year", "total"].randomElement(using: &random) ?? ""
        let day = Self.days.randomElement(using: &random) ?? ""
        return [
            "stats \(type)", "stats \(type) --by \(step) --json", "stats \(type) --by year --csv",
            "stats \(type) --by month --by-source", "samples \(type) --limit 50",
            "samples \(type) --json", "samples \(type) --csv", "samples \(type) --merged",
            "explain \(type) --day 2024-03-10", "explain \(type) --day \(day) --json",
            "sources \(type)",
        ]
    }

    /// Runs a command line. It may refuse with a message but not crash, and its output must be
    /// valid.
    func check(_ line: String, _ name: String) throws {
        let words = line.split(separator: " ").map(String.init)
        // Limited by processor time, which other tests don't affect, and by wall time, since a
        // blocked process uses none.
        let limited = "ulimit -t 60; exec /usr/bin/timeout 900 \"$0\" \"$@\""
        let run = try CommandRun(
            ["-c", limited, CommandRun.executable.path] + words, of: "/bin/sh", store: store)
        #expect(
            [0, 1, 2, 3, 64].contains(run.status), "\(name): \(line): \(run.status) \(run.errors)")
        guard run.status == 0 || run.status == 3 else {
            #expect(run.errors.hasPrefix("openhealth: "), "\(name): \(line): \(run.errors)")
            return
        }
        Self.expectNumbers(run.output, "\(name): \(line)")
        if words.contains("--json") {
            let isList = line.hasPrefix("samples")
            let lines = isList ? run.output.split(separator: "\n") : [run.output[...]]
            for text in lines {
                #expect(throws: Never.self, "\(name): \(line)") {
                    try JSONSerialization.jsonObject(with: Data(text.utf8))
                }
            }
        }
    }

    /// Checks that the output contains no NaN or infinity.
    static func expectNumbers(_ text: String, _ name: String) {
        if let around = NonNumber.first(in: text) { Issue.record("\(name) holds \(around)") }
    }
}

/// Finds “inf”, “Infinity” and “nan” as words, in outputs of many megabytes. A regular expression
/// takes twenty times as long.
enum NonNumber {
    private static let starts = ["inf", "Inf", "INF", "nan", "NaN", "Nan", "NAN"].map {
        Data($0.utf8)
    }
    private static let words: Set = ["inf", "infinity", "nan"]

    /// Returns the first such word with the text after it; nil if there is none.
    static func first(in text: String) -> String? {
        let data = Data(text.utf8)
        return starts.lazy.compactMap { first($0, in: data) }.first
    }

    private static func first(_ start: Data, in data: Data) -> String? {
        var from = data.startIndex
        while let found = data.range(of: start, in: from..<data.endIndex) {
            let rest = data[found.lowerBound...]
            let word = String(decoding: rest.prefix(while: isOfWord), as: UTF8.self)
            if words.contains(word.lowercased()),
                found.lowerBound == data.startIndex || !isOfWord(data[found.lowerBound - 1])
            {
                return String(decoding: rest.prefix(60), as: UTF8.self)
            }
            from = found.upperBound
        }
        return nil
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The pages of a store, requested without a server.
struct ExtremePages {
    private let site: Site
    private let name: String

    init(_ store: String) throws {
        site = try StorePages(
            storeAt: store, timeZone: TimeZone(identifier: "Europe/Berlin"), cache: nil, notes: nil,
            stepGoal: 8000
        ).site
        name = store
    }

    func check(types: [String]) async throws {
        let days = [nil] + ExtremeCommands.days.map { Optional($0) }
        for day in days {
            for path in ["/", "/sleep", "/why"] {
                try await compose(path, day.map { [.init("day", $0)] } ?? [])
            }
        }
        for period in ["week", "month"] { try await compose("/", [.init("period", period)]) }
        for path in ["/weight", "/data", "/check-up"] { try await compose(path) }
        for type in types {
            for step in ["day", "hour", "year"] {
                try await compose("/type", [.init("metric", type), .init("by", step)])
            }
            try await compose(
                "/type",
                [
                    .init("metric", type), .init("from", "2024-03-01"), .init("to", "2024-03-31"),
                ])
            try await compose("/why", [.init("metric", type), .init("day", "2024-03-10")])
        }
        let list = try await compose("/workouts")
        let object = try list.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
        let workouts = (object as? [String: Any])?["workouts"] as? [[String: Any]] ?? []
        for workout in workouts.prefix(8) {
            guard let id = workout["id"] as? String else { continue }
            try await compose("/workouts", name: id)
        }
    }

    /// Returns the page's JSON; nil if the request was refused.
    @discardableResult
    private func compose(
        _ path: String, _ query: [PageQuery.Field] = [], name: String? = nil
    ) async throws -> String? {
        let fields = query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let target = path + (name.map { "/" + $0 } ?? "") + "?" + fields
        let page = try #require(site.pages.first { $0.path == path && $0.verb == .get })
        let pageQuery = PageQuery(path: path, name: name, query: query)
        do {
            guard case .content(let html) = try await page.body(pageQuery, .html),
                case .content(let json) = try await page.body(pageQuery, .json)
            else { return nil }
            ExtremeCommands.expectNumbers(html, target)
            ExtremeCommands.expectNumbers(json, target)
            #expect(throws: Never.self, "\(target)") {
                try JSONSerialization.jsonObject(with: Data(json.utf8))
            }
            return json
        } catch let error as PageError {
            guard case .badRequest = error else { throw error }
        } catch let error as StoreError where error.code == .invalidArgument {
        }
        return nil
    }
}
