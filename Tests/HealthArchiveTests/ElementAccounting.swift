import HealthArchive
import HealthStorage

extension ImportReport {
    /// Elements whose number isn't that of those read, cut short and superseded, as sentences.
    var unexplainedElements: [String] {
        let accounts: [(String, SnapshotOutcome.Tally, Int)] = [
            ("Record", outcome.records, 0), ("Correlation", outcome.correlations, 0),
            ("Workout", outcome.workouts, 0),
            ("ActivitySummary", outcome.activitySummaries, superseded),
        ]
        return accounts.compactMap { name, tally, superseded in
            let met = elements[name] ?? 0
            let explained = tally.read + (cutShort[name] ?? 0) + superseded
            return met == explained
                ? nil : "\(met) \(name) elements, of which \(explained) are accounted for"
        }
    }
}
