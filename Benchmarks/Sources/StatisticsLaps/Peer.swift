import Foundation
import HealthStorage
import Prompting

/// A program with the same rows in memory. It answers each line with the time of its query.
final class Peer {
    /// The statistics of the rows that start on one day.
    struct Day: Decodable {
        var count: Int
        var sum: Double
        var least: Double
        var most: Double
    }

    let days: [Day]
    private let process: PromptedProcess

    init(_ words: [String], store: String) throws {
        process = try PromptedProcess(words + [store, History.zone.identifier])
        days = try JSONDecoder().decode([Day].self, from: Data(process.line().utf8))
    }

    func ask() throws -> Cost {
        try process.prompt()
        guard let cost = Cost(try process.line()) else { throw LapError("the peer gives no time") }
        return cost
    }
}
