import Foundation
import HealthKit

/// Times HealthKit calls over a store and prints `{"lap": [seconds, …], …}`.
///
///     HealthKitLaps FOLDER STORE ROUNDS     STORE is an imported store with ten years of steps
///     HealthKitLaps --write PATH            saves one heart rate for each line of standard input
@main
struct HealthKitLaps {
    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            if words.first == "--write", words.count == 2 {
                return try await Writing(path: words[1]).run()
            }
            guard words.count == 3, let rounds = Int(words[2]) else {
                throw LapError("usage: HealthKitLaps FOLDER STORE ROUNDS")
            }
            var laps = Laps(folder: words[0], importedStore: words[1], rounds: rounds)
            try await laps.run()
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            print(String(decoding: try encoder.encode(laps.seconds), as: UTF8.self))
        } catch {
            FileHandle.standardError.write(Data("HealthKitLaps: \(error)\n".utf8))
            exit(1)
        }
    }
}

struct LapError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The second process: saves a sample on request.
struct Writing {
    let path: String

    func run() async throws {
        let store = try HKHealthStore(path: path)
        let type = HKQuantityType(.heartRate)
        try await store.requestAuthorization(toShare: [type], read: [type])
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        while readLine() != nil {
            let now = Date()
            try await store.save(Laps.heartRate(61, at: now))
        }
    }
}
