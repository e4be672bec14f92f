import Foundation

extension Suite {
    /// Statistics over ten years, computed in process.
    static let statistics = Suite(name: "statistics") { context, card in
        Progress.show("statistics in process")
        let folder = context.file("statistics")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var laps = Program(
            URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appending(path: "StatisticsLaps").path,
            folder, String(context.scale.years), String(context.scale.shortRounds))
        if let peer = context.peers?.python("daily_beats.py") {
            laps.arguments += [peer.path] + peer.arguments
        } else {
            card.skip("ten years of heart rate against DuckDB: it could not be installed")
        }
        let figures = try decoded([String: [Double]].self, from: laps.succeed().output)
        for limit in limits where context.peers != nil || !limit.needsPeer {
            guard let values = figures[limit.lap] else { throw Failure("no lap: \(limit.lap)") }
            card.addFinding(
                limit.lap, Spread(values.map { $0 * limit.scale }), limit.unit)
        }
        card.passed(
            "every day's heart rate, time-weighted, and every day's merged steps are, bit by bit, "
                + "those of a second computation sample by sample, also after every change, as are "
                + "those of one source's steps; a day asked alone is that day among all.")
        if context.peers != nil {
            card.passed(
                "DuckDB's rows are the same to the last digit of every day's count and sum, and "
                    + "its least and most of a day are ours.")
        }
    }

    private struct Limit {
        var lap: String
        var unit = "ms"
        var scale = 1000.0

        var needsPeer: Bool { lap.contains("DuckDB") }
    }

    private static let limits =
        [
            Limit(lap: "ten years of heart rate, first"),
            Limit(lap: "DuckDB, plain averages"),
            Limit(
                lap: "ten years of heart rate ÷ DuckDB", unit: "×",
                scale: 1),
            Limit(lap: "ten years of heart rate ÷ DuckDB, processor", unit: "×", scale: 1),
            Limit(lap: "ten years of heart rate, again"),
            Limit(lap: "ten years of steps, first"),
            Limit(lap: "ten years of steps, again"),
            Limit(lap: "ten years of one source's steps, first"),
            Limit(lap: "ten years of one source's steps ÷ merged", unit: "×", scale: 1),
            Limit(lap: "opening the store"),
            Limit(lap: "the borders of ten years of days"),
        ]
        + ["heartRate", "stepCount", "sleepAnalysis", "bodyMass"].flatMap { type in
            [
                Limit(lap: "one day of \(type)"),
                Limit(lap: "one day of \(type), first"),
            ]
        }
        + ["one more at the end", "one in the middle", "a deletion"].flatMap { change in
            [
                Limit(lap: "heart rate after \(change)"),
                Limit(lap: "committing \(change)"),
            ]
        }
        + [Limit(lap: "heart rate after another's change")]
}
