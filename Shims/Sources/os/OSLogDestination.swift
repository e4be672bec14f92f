import Foundation

/// One message, ready to be written.
struct OSLogLine: Sendable {
    var date: Date
    var type: OSLogType
    var subsystem: String
    var category: String
    var text: String
}

/// Where messages go, from which level on, and whether private values are shown.
///
/// `OSLOG_LEVEL` (`debug`, `info`, `default`, `error`, `fault` or `off`) sets the level, `default`
/// if absent, and `OSLOG_PRIVATE=show` shows private values.
struct OSLogDestination: Sendable {
    /// Whether private values are written or masked as `<private>`.
    enum Secrets: Sendable { case masked, shown }

    var threshold: OSLogType
    var secrets: Secrets
    var write: @Sendable (OSLogLine) -> Void

    static let nowhere = OSLogDestination(
        threshold: OSLogType(rawValue: .max), secrets: .masked, write: { _ in })

    static let standardError: OSLogDestination = {
        let environment = ProcessInfo.processInfo.environment
        return OSLogDestination(
            threshold: threshold(named: environment["OSLOG_LEVEL"]),
            secrets: environment["OSLOG_PRIVATE"] == "show" ? .shown : .masked,
            write: { line in FileHandle.standardError.write(Data(format(line).utf8)) })
    }()

    /// A level by the name it has in the environment; an unknown name is the default.
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

    /// "2026-11-21T09:05:12.250Z error [com.example.diary:sync] No route", with a line break.
    static func format(_ line: OSLogLine) -> String {
        let date = line.date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let name = line.subsystem.isEmpty ? "" : " [\(line.subsystem):\(line.category)]"
        return "\(date) \(line.type.name)\(name) \(line.text)\n"
    }
}
