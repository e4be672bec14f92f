/// Writes messages of one subsystem and category, to standard error (``OSLog``).
///
/// ```swift
/// let logger = Logger(subsystem: "com.example.diary", category: "sync")
/// logger.error("Saved \(count) of \(total); \(name)")   // Saved 3 of 5; <private>
/// ```
public struct Logger: Sendable {
    let log: OSLog

    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    public init(_ logObj: OSLog) { log = logObj }

    public init() { log = .default }

    /// Writes at the default level.
    public func log(_ message: OSLogMessage) { log.write(.default, message) }
    /// Writes at the given level.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message) }
    /// Writes at the debug level.
    public func trace(_ message: OSLogMessage) { log.write(.debug, message) }
    /// Writes at the debug level.
    public func debug(_ message: OSLogMessage) { log.write(.debug, message) }
    /// Writes at the info level.
    public func info(_ message: OSLogMessage) { log.write(.info, message) }
    /// Writes at the default level.
    public func notice(_ message: OSLogMessage) { log.write(.default, message) }
    /// Writes at the error level.
    public func warning(_ message: OSLogMessage) { log.write(.error, message) }
    /// Writes at the error level.
    public func error(_ message: OSLogMessage) { log.write(.error, message) }
    /// Writes at the fault level.
    public func critical(_ message: OSLogMessage) { log.write(.fault, message) }
    /// Writes at the fault level.
    public func fault(_ message: OSLogMessage) { log.write(.fault, message) }
}
