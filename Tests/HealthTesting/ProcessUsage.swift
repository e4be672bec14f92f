import Foundation

/// The kernel's counters of a process so far. Available on Linux only.
public struct ProcessUsage: Sendable {
    /// The processor time in seconds, in steps of a hundredth.
    public var seconds: Double
    /// The number of voluntary context switches of its threads, each of which is followed by a
    /// wake-up.
    public var contextSwitches: Int

    /// Reads the counters of a process.
    ///
    /// - Parameter process: The process ID.
    /// - Throws: An error if there is no such process.
    public init(of process: Int32) throws {
        let folder = "/proc/\(process)"
        let stat = try String(contentsOfFile: folder + "/stat", encoding: .utf8)
        // The name is in parentheses and may contain any character.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        seconds =
            fields.count > 13 ? fields[12...13].compactMap { Double($0) }.reduce(0, +) / 100 : 0
        contextSwitches = 0
        for task in try FileManager.default.contentsOfDirectory(atPath: folder + "/task") {
            // A thread may have ended since the listing.
            let status = try? String(
                contentsOfFile: folder + "/task/\(task)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first {
                $0.hasPrefix("voluntary_ctxt_switches:")
            }
            contextSwitches += line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }
    }

    /// Returns the difference of two readings.
    ///
    /// - Parameters:
    ///   - now: The later reading.
    ///   - before: The earlier reading.
    /// - Returns: The use between the two.
    public static func - (now: Self, before: Self) -> Self {
        var use = now
        use.seconds -= before.seconds
        use.contextSwitches -= before.contextSwitches
        return use
    }
}
