import Foundation
import HealthEngine
import HealthStorage

/// Times statistics over a history and prints `{"lap": [number, …], …}`. A line for each lap goes
/// to standard error.
///
///     StatisticsLaps FOLDER YEARS ROUNDS [PEER …]
///     StatisticsLaps --first STORE TYPE YEARS [SOURCE …]
///
/// The history has half a million heart rates per year, and two devices that each record steps 200
/// times per day. Its store is created in FOLDER through the import API and kept there. PEER is a
/// program with its arguments that computes plain averages of the same rows
/// (`Python/daily_beats.py`).
///
/// The second form measures the first query of a new process.
@main
struct StatisticsLaps {
    static func main() {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            if words.first == "--first", words.count >= 4, let years = Int(words[3]) {
                let query = try FirstQuery(
                    store: words[1], type: words[2], years: years, sources: Array(words[4...]))
                return print(query.lines)
            }
            guard words.count >= 3, let years = Int(words[1]), let rounds = Int(words[2]),
                (1...10).contains(years), rounds > 0
            else { throw LapError("usage: StatisticsLaps FOLDER YEARS ROUNDS [PEER …]") }
            var laps = try Laps(
                folder: words[0], history: History(years: years), rounds: rounds,
                peer: Array(words[3...]))
            try laps.run()
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            print(String(decoding: try encoder.encode(laps.figures), as: UTF8.self))
        } catch {
            FileHandle.standardError.write(Data("StatisticsLaps: \(error)\n".utf8))
            exit(1)
        }
    }
}

struct LapError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
