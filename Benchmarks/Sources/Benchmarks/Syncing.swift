import Foundation

extension Suite {
    /// HealthSync: a mirror of a whole store, and the cost of keeping it up to date.
    static let sync = Suite(name: "sync") { context, card in
        Progress.show("HealthSync")
        let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let folder = context.file("sync")
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let laps = Program(
            programs.appending(path: "SyncLaps").path, folder, context.store,
            String(context.scale.shortRounds), programs.appending(path: "HealthKitLaps").path)
        let output = try laps.succeed().output
        try? FileManager.default.removeItem(atPath: folder)
        let figures = try decoded([String: [Double]].self, from: output)
        for limit in limits {
            guard let values = figures[limit.lap] else { throw Failure("no lap: \(limit.lap)") }
            let scaled = Spread(values.map { $0 * limit.scale })
            card.addFinding(limit.lap, scaled, limit.unit)
            guard limit.reportsTail, values.count >= 20 else { continue }
            let tail = scaled.values.sorted()[scaled.values.count * 95 / 100]
            card.addFinding(limit.lap + ", p95", Spread([tail]), limit.unit)
        }
        card.passed(
            "The mirror holds every sample of every type, a year of weights to the gram, and the "
                + "week's replacements, deletions and new samples; a comparison finds nothing.")
    }

    private struct Limit {
        var lap: String
        var unit = "ms"
        var scale = 1000.0
        var reportsTail = false
    }

    private static let limits = [
        Limit(lap: "first mirror", unit: "s", scale: 1),
        Limit(lap: "first mirror, a million samples", unit: "s", scale: 1),
        Limit(lap: "memory after a quarter", unit: "MB", scale: 1e-6),
        Limit(lap: "most memory", unit: "MB", scale: 1e-6),
        Limit(lap: "memory grown since a quarter", unit: "MB", scale: 1e-6),
        Limit(lap: "saved to mirrored", reportsTail: true),
        Limit(lap: "saved to mirrored, another process", reportsTail: true),
        Limit(lap: "a year of weights"),
        Limit(
            lap: "share of a core, 100 idle types", unit: "%", scale: 100),
        Limit(lap: "a week's 50,000 changes", unit: "s", scale: 1),
        Limit(lap: "reconciling, 50,000 samples", unit: "s", scale: 1),
    ]
}
