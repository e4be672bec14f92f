import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A process of `openhealth serve`, which ends when the value is released.
final class ServerProcess {
    private let process = Process()
    /// The address that the server prints when it listens.
    let url: URL
    let port: UInt16

    /// Starts the command, and waits until it listens.
    init(_ program: Program) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: program.path)
        process.arguments = program.arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = ""
        while !line.contains("\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure("serve ended before it listened.") }
            line += String(decoding: more, as: UTF8.self)
        }
        guard let url = URL(string: line.trimmingCharacters(in: .whitespacesAndNewlines)),
            let port = url.port
        else { throw Failure("serve's first line is no address.") }
        (self.url, self.port) = (url, UInt16(port))
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// The most memory that the process has used, in bytes; nil without /proc.
    var peakMemory: Double? {
        let file = "/proc/\(process.processIdentifier)/status"
        let status = try? String(contentsOfFile: file, encoding: .utf8)
        return status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?
            .split(separator: " ").compactMap { Double($0) }.first.map { $0 * 1024 }
    }

    /// The processor time of the process so far, in seconds, over all threads; nil if the system
    /// has no such clock.
    var processorSeconds: Double? {
        #if canImport(Darwin)
            return nil
        #else
            var clock = clockid_t()
            var time = timespec()
            guard clock_getcpuclockid(process.processIdentifier, &clock) == 0,
                clock_gettime(clock, &time) == 0
            else { return nil }
            return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
        #endif
    }
}
