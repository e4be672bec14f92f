import Foundation

/// Where messages come from: a subsystem and a category.
///
/// A plain name here: there is no unified log on Linux, messages go to standard error
/// (``OSLogDestination``).
public final class OSLog: Sendable {
    /// The categories that Instruments knows.
    public struct Category: Sendable {
        public static let pointsOfInterest = Category(name: "PointsOfInterest")
        public static let dynamicTracing = Category(name: "DynamicTracing")
        public static let dynamicStackTracing = Category(name: "DynamicStackTracing")
        let name: String
    }

    /// Messages without a name.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// Messages that go nowhere.
    public static let disabled = OSLog(subsystem: "", category: "", destination: .nowhere)

    let subsystem: String
    let category: String
    let destination: OSLogDestination

    /// Names the source of messages: `OSLog(subsystem: "com.example.diary", category: "sync")`.
    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, destination: .standardError)
    }

    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.name)
    }

    init(subsystem: String, category: String, destination: OSLogDestination) {
        self.subsystem = subsystem
        self.category = category
        self.destination = destination
    }

    /// Whether messages of a level are written.
    public func isEnabled(type: OSLogType) -> Bool { type >= destination.threshold }

    /// Whether signposts are recorded: never, since nobody could look at them.
    public var signpostsEnabled: Bool { false }

    func write(_ type: OSLogType, _ message: OSLogMessage) {
        guard isEnabled(type: type) else { return }
        destination.write(
            OSLogLine(
                date: Date(), type: type, subsystem: subsystem, category: category,
                text: message.text(revealing: destination.secrets)))
    }
}

/// How urgent a message is, with Apple's numbers.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    public static let `default` = OSLogType(rawValue: 0)
    public static let info = OSLogType(rawValue: 1)
    public static let debug = OSLogType(rawValue: 2)
    public static let error = OSLogType(rawValue: 16)
    public static let fault = OSLogType(rawValue: 17)

    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ rawValue: UInt8) { self.init(rawValue: rawValue) }

    /// Debug below info below the default, unlike the raw values.
    private var urgency: Int {
        switch self {
        case .debug: -2
        case .info: -1
        default: Int(rawValue)
        }
    }

    static func >= (a: OSLogType, b: OSLogType) -> Bool { a.urgency >= b.urgency }

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
