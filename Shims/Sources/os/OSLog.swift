import Foundation

/// A log for the messages of one subsystem and category.
///
/// Linux has no unified log. Messages go to standard error (``OSLogDestination``).
public final class OSLog: Sendable {
    /// A category with a special meaning in Instruments.
    public struct Category: Sendable {
        /// A category for signposts. On Linux there are none; log messages contain its name.
        public static let pointsOfInterest = Category(name: "PointsOfInterest")
        /// A category for signposts. On Linux there are none; log messages contain its name.
        public static let dynamicTracing = Category(name: "DynamicTracing")
        /// A category for signposts. On Linux there are none; log messages contain its name.
        public static let dynamicStackTracing = Category(name: "DynamicStackTracing")
        let name: String
    }

    /// A log without a subsystem and a category.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// A log that discards its messages.
    public static let disabled = OSLog(subsystem: "", category: "", destination: .discard)

    let subsystem: String
    let category: String
    let destination: OSLogDestination

    /// Creates a log: `OSLog(subsystem: "com.example.diary", category: "sync")`.
    ///
    /// - Parameters:
    ///   - subsystem: The subsystem, by convention a reverse domain name.
    ///   - category: The category in the subsystem.
    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, destination: .standardError)
    }

    /// Creates a log with a category that has a special meaning in Instruments.
    ///
    /// - Parameters:
    ///   - subsystem: The subsystem, by convention a reverse domain name.
    ///   - category: The category.
    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.name)
    }

    init(subsystem: String, category: String, destination: OSLogDestination) {
        self.subsystem = subsystem
        self.category = category
        self.destination = destination
    }

    /// Returns whether messages of a level are written.
    ///
    /// - Parameter type: The level.
    /// - Returns: Whether the level is at or above the log's threshold.
    public func isEnabled(type: OSLogType) -> Bool { type >= destination.threshold }

    /// Whether signposts are recorded; always false on Linux.
    public var signpostsEnabled: Bool { false }

    func write(_ type: OSLogType, _ message: OSLogMessage) {
        guard isEnabled(type: type) else { return }
        destination.write(
            OSLogLine(
                date: Date(), type: type, subsystem: subsystem, category: category,
                text: message.text(revealing: destination.privateValues)))
    }
}

/// The level of a message, with Apple's raw values.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// The default level.
    public static let `default` = OSLogType(rawValue: 0)
    /// The level below ``default``.
    public static let info = OSLogType(rawValue: 1)
    /// The lowest level.
    public static let debug = OSLogType(rawValue: 2)
    /// The level above ``default``.
    public static let error = OSLogType(rawValue: 16)
    /// The highest level.
    public static let fault = OSLogType(rawValue: 17)

    /// Apple's number of the level.
    public let rawValue: UInt8

    /// Creates a level from Apple's number.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ rawValue: UInt8) { self.init(rawValue: rawValue) }

    /// The rank for comparisons: debug below info below default, unlike the raw values.
    private var severity: Int {
        switch self {
        case .debug: -2
        case .info: -1
        default: Int(rawValue)
        }
    }

    static func >= (a: OSLogType, b: OSLogType) -> Bool { a.severity >= b.severity }

    var name: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .error: "error"
        case .fault: "fault"
        default: "default"
        }
    }
}
