import Foundation
import Prompting

extension Suite {
    /// The summary and the pages over ten years, cached and uncached.
    static let pages = Suite(name: "pages") { context, card in
        let store = context.file("pages.sqlite")
        let export = context.file("pages.zip")
        try context.simulate(context.scale.manyRecords, to: export)
        Progress.show("importing \(BenchmarkContext.words(context.scale.manyRecords)) records")
        _ = try context.openhealth("import", export, "--json", store: store).succeed()
        try? FileManager.default.removeItem(atPath: export)
        defer { context.removeDatabase(store) }
        try summaries(context, store, &card)
        try served(context, store, &card)
    }

    private static func summaries(
        _ context: BenchmarkContext, _ store: String, _ card: inout Scorecard
    ) throws {
        Progress.show("summaries")
        struct Summary: Decodable {
            struct Steps: Decodable { var value: Double }
            var day: String
            var steps: Steps
        }
        let summary = context.openhealth("summary", "--json", store: store)
        func answer() throws -> (Summary, Double) {
            let run = try summary.succeed()
            return (try decoded(Summary.self, from: run.output), run.wall)
        }
        var (kept, made): ([Double], [Double]) = ([], [])
        let cache = store.replacingOccurrences(of: ".sqlite", with: ".pages.cache")
        for _ in 0..<context.scale.shortRounds {
            try? FileManager.default.removeItem(atPath: cache)
            let (first, anew) = try answer()
            let (second, again) = try answer()
            try expect(first.steps.value == second.steps.value, "the kept summary is another")
            (made, kept) = (made + [anew], kept + [again])
        }
        let (last, _) = try answer()
        let after = context.openhealth(
            "stats", "stepCount", "--from", last.day, "--by", "day", "--json", store: store)
        let days = try decoded(StatisticsResult.self, from: after.succeed().output).days
        // A proportional share at the day's boundary may be rounded differently.
        let difference = abs((days[last.day] ?? .nan) - last.steps.value)
        try expect(difference <= 1e-6, "the summary's steps are not those of stats")
        card.addFinding("summary, kept", Spread(kept.map { $0 * 1000 }), "ms")
        card.addFinding("summary, made anew", Spread(made.map { $0 * 1000 }), "ms")
        card.passed("the summary's steps are those of stats, kept or made anew.")
    }

    private static let addresses = [
        "/", "/browse", "/type/stepCount", "/year/stepCount", "/sleep", "/workouts", "/compare",
        "/report", "/why", "/weight", "/data", "/check-up",
    ]

    private static func served(
        _ context: BenchmarkContext, _ store: String, _ card: inout Scorecard
    ) throws {
        let laps = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "HealthKitLaps").path
        let server = try PageServer(context.openhealth, store: store)
        let client = try server.client()
        let writer = try PromptedProcess(writer: laps, store: store)
        defer { writer.end() }
        var (kept, bytes): ([Double], [Double]) = ([], [])
        var refreshed: [Double] = []
        for address in addresses {
            Progress.show("page \(address)")
            var (made, again): ([Double], [Double]) = ([], [])
            for _ in 0..<context.scale.shortRounds {
                try writer.prompt()
                // A commit takes some milliseconds, and changes the store's sequence number.
                usleep(100_000)
                let response = try client.get(address)
                made.append(response.firstByte)
                let second = try client.get(address)
                again.append(second.firstByte)
                bytes.append(Double(response.body.count))
                try expect(response.body == second.body, "\(address) kept is not \(address) made")
                try expect(response.head.hasPrefix("http/1.1 200"), "\(address) is refused")
            }
            if address == "/" { refreshed = Array(made.dropFirst()) }
            card.addFinding(
                "\(address), after a change", Spread(made.map { $0 * 1000 }), "ms")
            kept += again
        }
        card.addFinding("any page, kept", Spread(kept.map { $0 * 1000 }), "ms")
        card.addFinding(
            "today after one new sample", Spread(refreshed.map { $0 * 1000 }), "ms")
        card.addFinding("bytes of a page", Spread(bytes.map { $0 / 1000 }), "kB")
        let long = try client.get("/type/heartRate?from=2016-10-01&to=2026-09-30")
        card.addFinding("ten years of heart rate", Spread([long.whole]), "s")
        card.addFinding(
            "200 requests a second, p99", Spread([try tail(server) * 1000]), "ms")
        card.passed("every page is the same kept as made, and none is refused.")
    }

    /// Returns the 99th percentile of the response time in seconds of 1,000 requests at 200 per
    /// second, each measured from its scheduled time. The store doesn't change meanwhile.
    private static func tail(_ server: PageServer) throws(Failure) -> Double {
        Progress.show("200 requests a second")
        let client = try server.client()
        for address in addresses { _ = try client.get(address) }
        let clock = ContinuousClock()
        let start = clock.now
        var seconds: [Double] = []
        for index in 0..<1000 {
            let due = start + .milliseconds(5 * index)
            while clock.now < due { usleep(200) }
            _ = try client.get(addresses[index % addresses.count])
            seconds.append((clock.now - due) / .seconds(1))
        }
        return seconds.sorted()[989]
    }
}
