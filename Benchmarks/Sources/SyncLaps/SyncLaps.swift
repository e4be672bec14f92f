import Foundation

/// Times HealthSync over a store and prints `{"lap": [number, …], …}`.
///
///     SyncLaps FOLDER STORE ROUNDS WRITER
///     SyncLaps --heart-rate FOLDER STORE WRITER
///
/// STORE is an imported store, which is copied. FOLDER receives the copy and the mirrors. WRITER is
/// the program `HealthKitLaps`, which saves from its own process. With `--heart-rate`, only heart
/// rates are mirrored, only a saved sample is timed, and STORE is changed instead of copied.
@main
struct SyncLaps {
    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            guard words.count == 4 else {
                throw LapError("usage: SyncLaps FOLDER STORE ROUNDS WRITER")
            }
            var laps: Laps
            if words[0] == "--heart-rate" {
                laps = try Laps(folder: words[1], heartRateOf: words[2], writer: words[3])
                try await laps.runHeartRate()
            } else {
                guard let rounds = Int(words[2]) else { throw LapError("\(words[2]) rounds") }
                laps = try Laps(
                    folder: words[0], store: words[1], rounds: rounds, writer: words[3])
                try await laps.run()
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            print(String(decoding: try encoder.encode(laps.figures), as: UTF8.self))
        } catch {
            FileHandle.standardError.write(Data("SyncLaps: \(error)\n".utf8))
            exit(1)
        }
    }
}

struct LapError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension Process {
    /// The resident memory of this process in bytes.
    static var residentBytes: Double {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let words = text.split(separator: " ")
        return words.count > 1 ? (Double(words[1]) ?? 0) * 4096 : 0
    }

    /// The processor time of this process in seconds, over all threads.
    static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
