import Foundation

extension Suite {
    /// HealthKit calls, timed inside a client of the module.
    static let healthKit = Suite(name: "healthkit") { context, card in
        Progress.show("HealthKit's calls")
        let laps = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "HealthKitLaps").path
        let folder = context.file("laps")
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let rounds = String(context.scale.shortRounds)
        let output = try Program(laps, folder, context.store, rounds).succeed().output
        let seconds = try decoded([String: [Double]].self, from: output).mapValues(Spread.init)
        for limit in limits {
            guard let spread = seconds[limit.lap] else { throw Failure("no lap: \(limit.lap)") }
            let scaled = Spread(spread.values.map { $0 * limit.scale })
            card.addFinding(limit.lap, scaled, limit.unit)
        }
        card.passed("100,000 samples read are those saved; every day is the engine's, bit by bit.")
    }

    private struct Limit {
        var lap: String
        var unit = "ms"
        var scale = 1000.0
    }

    private static let limits = [
        Limit(lap: "HKSampleQuery, 100,000 samples"),
        Limit(lap: "10,000 samples in one save"),
        Limit(lap: "ten years of days, engine"),
        Limit(lap: "ten years of days, collection query"),
        Limit(lap: "ten years of days, added"),
        Limit(lap: "observer wake to anchored result"),
        Limit(lap: "the same from another process"),
        Limit(
            lap: "share of a core, idle observer", unit: "%", scale: 100),
        Limit(lap: "bytes left by 10,000 queries", unit: "MB", scale: 1e-6),
    ]
}
