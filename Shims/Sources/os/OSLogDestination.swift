import Foundation

/// One formatted message to be written.
struct OSLogLine: Sendable {
    var date: Date
    var type: OSLogType
    var subsystem: String
    var category: String
    var text: String
}

/// The destination of messages, the lowest level to write, and whether private values are visible.
///
/// The environment variable `OSLOG_LEVEL` (`debug`, `info`, `default`, `error`, `fault` or `off`)
/// sets the lowest level for standard error; without it, that is `default`. `OSLOG_PRIVATE=show`
/// makes private values visible.
struct OSLogDestination: Sendable {
    /// Whether private values are written, or replaced by `<private>`.
    enum PrivateValues: Sendable { case masked, shown }

    var threshold: OSLogType
    var privateValues: PrivateValues
    var write: @Sendable (OSLogLine) -> Void

    static let discard = OSLogDestination(
        threshold: OSLogType(rawValue: .max), privateValues: .masked, write: { _ in })

    static let standardError: OSLogDestination = {
        let environment = ProcessInfo.processInfo.environment
        return OSLogDestination(
            threshold: threshold(named: environment["OSLOG_LEVEL"]),
            privateValues: environment["OSLOG_PRIVATE"] == "show" ? .shown : .masked,
            write: { line in FileHandle.standardError.write(Data(format(line).utf8)) })
    }()

    /// Returns a level by its name in the environment. For nil and unknown names, returns the
    /// default level.
    static func threshold(named name: String?) -> OSLogType {
        switch name {
        case "debug": .debug
        case "info": .info
        case "error": .error
        case "fault": .fault
        case "off": OSLogType(rawValue: .max)
        default: .default
        }
    }

    /// Formats a line: "2026-11-21T09:05:12.250Z error [com.example.diary:sync] No route". Without
    /// a subsystem, the part in brackets is omitted.
    static func format(_ line: OSLogLine) -> String {
        let date = line.date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let name = line.subsystem.isEmpty ? "" : " [\(line.subsystem):\(line.category)]"
        return "\(date) \(line.type.name)\(name) \(line.text)\n"
    }
}
