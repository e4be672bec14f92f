/// A logger for one subsystem and category, which writes to standard error (``OSLog``).
///
/// ```swift
/// let logger = Logger(subsystem: "com.example.diary", category: "sync")
/// logger.error("Saved \(count) of \(total); \(name)")   // Saved 3 of 5; <private>
/// ```
public struct Logger: Sendable {
    let log: OSLog

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - subsystem: The subsystem, by convention a reverse domain name.
    ///   - category: The category in the subsystem.
    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    /// Creates a logger for an existing log.
    ///
    /// - Parameter logObj: The log.
    public init(_ logObj: OSLog) { log = logObj }

    /// Creates a logger without a subsystem and a category.
    public init() { log = .default }

    /// Writes a message at the default level.
    ///
    /// - Parameter message: The message.
    public func log(_ message: OSLogMessage) { log.write(.default, message) }
    /// Writes a message at the given level.
    ///
    /// - Parameters:
    ///   - level: The level of the message.
    ///   - message: The message.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message) }
    /// Writes a message at the debug level.
    ///
    /// - Parameter message: The message.
    public func trace(_ message: OSLogMessage) { log.write(.debug, message) }
    /// Writes a message at the debug level.
    ///
    /// - Parameter message: The message.
    public func debug(_ message: OSLogMessage) { log.write(.debug, message) }
    /// Writes a message at the info level.
    ///
    /// - Parameter message: The message.
    public func info(_ message: OSLogMessage) { log.write(.info, message) }
    /// Writes a message at the default level.
    ///
    /// - Parameter message: The message.
    public func notice(_ message: OSLogMessage) { log.write(.default, message) }
    /// Writes a message at the error level.
    ///
    /// - Parameter message: The message.
    public func warning(_ message: OSLogMessage) { log.write(.error, message) }
    /// Writes a message at the error level.
    ///
    /// - Parameter message: The message.
    public func error(_ message: OSLogMessage) { log.write(.error, message) }
    /// Writes a message at the fault level.
    ///
    /// - Parameter message: The message.
    public func critical(_ message: OSLogMessage) { log.write(.fault, message) }
    /// Writes a message at the fault level.
    ///
    /// - Parameter message: The message.
    public func fault(_ message: OSLogMessage) { log.write(.fault, message) }
}
