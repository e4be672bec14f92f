import Foundation
import Prompting

extension GrowthSize {
    private var programs: URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    }

    /// Measures ten years of merged steps and of heart rate by day, as whole processes.
    func statistics(_ card: inout Scorecard) throws {
        let counts = try sampleCounts()
        let steps = question("stepCount", by: "day")
        let days = try decoded(StatisticsResult.self, from: steps.succeed().output).days
        _ = try Suite.closeDays(days, truth: truth)
        let stepCount = counts["HKQuantityTypeIdentifierStepCount"]
        try measure("steps by day", steps, samples: stepCount, &card)
        let beats = question("heartRate", by: "day")
        try expectExtremes(beats)
        let beatCount = counts["HKQuantityTypeIdentifierHeartRate"]
        try measure("heart rate by day", beats, samples: beatCount, &card)
    }

    private func question(_ type: String, by interval: String) -> Program {
        context.openhealth("stats", type, "--by", interval, "--json", store: store)
    }

    private func measure(
        _ name: String, _ program: Program, samples: Int?, _ card: inout Scorecard
    ) throws {
        let expected = try program.succeed().output
        let benchmark = BenchmarkProgram(
            name: name, program: program,
            check: { try expect($0.output == expected, "the same question, another answer") })
        var figure = figure(name, try runs(benchmark), store: store)
        figure.samples = samples
        card.add(figure)
    }

    /// Checks the least and the most of all days against those of the total.
    private func expectExtremes(_ daily: Program) throws {
        struct Averages: Decodable {
            struct Bucket: Decodable { var minimum, maximum: Double }
            var buckets: [Bucket]
        }
        func buckets(_ program: Program) throws -> [Averages.Bucket] {
            try decoded(Averages.self, from: program.succeed().output).buckets
        }
        let (days, total) = (try buckets(daily), try buckets(question("heartRate", by: "total")))
        try expect(
            days.map(\.minimum).min() == total.first?.minimum
                && days.map(\.maximum).max() == total.first?.maximum && days.count > 1000,
            "the days' heart rates are not the total's")
    }

    /// Measures the summary and the page of a type: first after an import, after a change, and
    /// kept.
    func pages(_ card: inout Scorecard) throws {
        let cache = store.replacingOccurrences(of: ".sqlite", with: ".pages.cache")
        let first = PageFigure()
        for round in 1...context.scale.longRounds {
            show("first page, run \(round)")
            try? FileManager.default.removeItem(atPath: cache)
            let server = try PageServer(context.openhealth, store: store)
            _ = try first.get("/", from: server, try server.client())
        }
        add("first page after an import", first, &card)
        let server = try PageServer(context.openhealth, store: store)
        let client = try server.client()
        let writer = try PromptedProcess(
            writer: programs.appending(path: "HealthKitLaps").path, store: store)
        defer { writer.end() }
        for (name, address) in [("summary page", "/"), ("page of steps", "/type/stepCount")] {
            let (made, kept) = (PageFigure(), PageFigure())
            for round in 0...context.scale.shortRounds {
                show("\(name), run \(round)")
                // The first round fills the caches.
                if round == 1 {
                    made.clear()
                    kept.clear()
                }
                try writer.prompt()
                // A commit takes some milliseconds, and changes the store's sequence number.
                usleep(100_000)
                let body = try made.get(address, from: server, client)
                let again = try kept.get(address, from: server, client)
                try expect(body == again, "\(address) kept is not \(address) made")
            }
            add("\(name), after a change", made, &card)
            add("\(name), kept", kept, &card)
        }
    }

    private func add(_ name: String, _ figure: PageFigure, _ card: inout Scorecard) {
        card.add(
            GrowthFigure(
                name: name, records: records, wallSeconds: Spread(figure.wall),
                processorSeconds: Spread(figure.processor), peakBytes: Spread(figure.peak),
                fileBytes: Spread([context.bytes(ofDatabase: store)])))
    }

    /// Measures the time from one saved heart rate to its row in a mirror of all heart rates.
    func watcher(_ card: inout Scorecard) throws {
        show("watcher")
        let mirrors = file("mirrors")
        try FileManager.default.createDirectory(atPath: mirrors, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: mirrors) }
        let run = try Program(
            programs.appending(path: "SyncLaps").path, "--heart-rate", mirrors, store,
            programs.appending(path: "HealthKitLaps").path
        ).succeed()
        let figures = try decoded([String: [Double]].self, from: run.output)
        guard let wall = figures["saved to mirrored"],
            let processor = figures["saved to mirrored, processor"]
        else { throw Failure("no lap: saved to mirrored") }
        card.add(
            GrowthFigure(
                name: "saved sample to mirrored", records: records, wallSeconds: Spread(wall),
                processorSeconds: Spread(processor),
                peakBytes: Spread([Double(run.peakMemory)]),
                fileBytes: Spread([context.bytes(ofDatabase: store)])))
    }
}

/// The response times of one page, and the processor time that the server needs for it.
private final class PageFigure {
    private(set) var wall: [Double] = []
    private(set) var processor: [Double] = []
    /// The server's peak memory so far, in bytes.
    private(set) var peak: [Double] = []

    /// Requests a page and adds its figures.
    ///
    /// - Returns: The page.
    func get(_ address: String, from server: PageServer, _ client: PageClient) throws -> Data {
        let before = server.process.processorSeconds
        let response = try client.get(address)
        let after = server.process.processorSeconds
        try expect(response.head.hasPrefix("http/1.1 200"), "\(address) is refused")
        wall.append(response.firstByte)
        if let before, let after { processor.append(after - before) }
        if let bytes = server.process.peakMemory { peak.append(bytes) }
        return response.body
    }

    func clear() { (wall, processor, peak) = ([], [], []) }
}
