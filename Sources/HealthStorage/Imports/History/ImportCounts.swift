import Foundation

/// The counts of a stored import report. Parts that are missing or invalid are nil.
package struct ImportCounts: Decodable, Sendable {
    package struct Tally: Decodable, Sendable {
        package var read: Int
        package var new: Int
        package var unchanged: Int
        package var changed: Int
        package var repeated: Int
        package var quarantined: Int
    }

    package var records: Tally?
    package var workouts: Tally?
    package var correlations: Tally?
    package var activitySummaries: Tally?
    package var vanished: Int?
    package var replaced: Int?
    package var quarantineReasons: [String: Int]?

    /// Decodes a report. If the text isn't valid, all parts are nil.
    package init(_ text: String) {
        let ledger = try? JSONDecoder().decode(ImportCounts.self, from: Data(text.utf8))
        self = ledger ?? ImportCounts()
    }

    private init() {}

    private enum CodingKeys: CodingKey {
        case records, workouts, correlations, activitySummaries, vanished, replaced,
            quarantineReasons
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        records = try? container.decode(Tally.self, forKey: .records)
        workouts = try? container.decode(Tally.self, forKey: .workouts)
        correlations = try? container.decode(Tally.self, forKey: .correlations)
        activitySummaries = try? container.decode(Tally.self, forKey: .activitySummaries)
        vanished = try? container.decode(Int.self, forKey: .vanished)
        replaced = try? container.decode(Int.self, forKey: .replaced)
        quarantineReasons = try? container.decode([String: Int].self, forKey: .quarantineReasons)
    }

    /// The tallies that the report contains.
    package var tallies: [Tally] {
        [records, correlations, workouts, activitySummaries].compactMap { $0 }
    }

    /// The number of quarantined elements of all kinds.
    package var quarantined: Int { tallies.reduce(0) { $0 + $1.quarantined } }
}
