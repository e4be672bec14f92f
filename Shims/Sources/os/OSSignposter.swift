/// A signposter that records nothing, because Linux has no Instruments.
/// ``withIntervalSignpost(_:id:_:around:)`` still runs its closure. Messages are not evaluated.
public struct OSSignposter: Sendable {
    /// A disabled signposter. On Linux, all signposters behave like this one.
    public static let disabled = OSSignposter()

    /// Creates a signposter that records nothing.
    public init() {}
    /// Creates a signposter that records nothing.
    ///
    /// - Parameters:
    ///   - subsystem: Ignored.
    ///   - category: Ignored.
    public init(subsystem: String, category: String) {}
    /// Creates a signposter that records nothing.
    ///
    /// - Parameters:
    ///   - subsystem: Ignored.
    ///   - category: Ignored.
    public init(subsystem: String, category: OSLog.Category) {}
    /// Creates a signposter that records nothing.
    ///
    /// - Parameter logger: Ignored.
    public init(logger: Logger) {}
    /// Creates a signposter that records nothing.
    ///
    /// - Parameter logHandle: Ignored.
    public init(logHandle: OSLog) {}

    /// Whether the signposter records signposts; always false on Linux.
    public var isEnabled: Bool { false }

    /// Returns an identifier that is unique in this process.
    ///
    /// - Returns: The identifier.
    public func makeSignpostID() -> OSSignpostID { OSSignpostID.next() }

    /// Returns the identifier of an object, which is unique while the object exists.
    ///
    /// - Parameter object: The object.
    /// - Returns: The identifier.
    public func makeSignpostID(from object: AnyObject) -> OSSignpostID {
        OSSignpostID(rawValue: UInt64(UInt(bitPattern: ObjectIdentifier(object))))
    }

    /// Returns the state of an interval that begins. Nothing is recorded.
    ///
    /// - Parameters:
    ///   - name: The interval's name.
    ///   - id: The interval's identifier.
    ///   - message: A message, which isn't evaluated.
    /// - Returns: The state to end the interval with.
    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive,
        _ message: @autoclosure () -> OSLogMessage = ""
    ) -> OSSignpostIntervalState { OSSignpostIntervalState(id: id) }

    /// Does nothing, because intervals are not recorded on Linux.
    ///
    /// - Parameters:
    ///   - name: The interval's name.
    ///   - state: The state from the beginning of the interval.
    ///   - message: A message, which isn't evaluated.
    public func endInterval(
        _ name: StaticString, _ state: OSSignpostIntervalState,
        _ message: @autoclosure () -> OSLogMessage = ""
    ) {}

    /// Does nothing, because events are not recorded on Linux.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - id: The event's identifier.
    ///   - message: A message, which isn't evaluated.
    public func emitEvent(
        _ name: StaticString, id: OSSignpostID = .exclusive,
        _ message: @autoclosure () -> OSLogMessage = ""
    ) {}

    /// Runs a closure, without recording its interval.
    ///
    /// - Parameters:
    ///   - name: The interval's name.
    ///   - id: The interval's identifier.
    ///   - message: A message, which isn't evaluated.
    ///   - around: The closure.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error.
    public func withIntervalSignpost<T>(
        _ name: StaticString, id: OSSignpostID = .exclusive,
        _ message: @autoclosure () -> OSLogMessage = "", around: () throws -> T
    ) rethrows -> T { try around() }
}

/// The state that connects the end of an interval with its beginning.
public final class OSSignpostIntervalState: Sendable {
    /// The interval's identifier.
    public let id: OSSignpostID

    init(id: OSSignpostID) { self.id = id }

    /// Returns the state of an interval that began elsewhere.
    ///
    /// - Parameter id: The interval's identifier.
    /// - Returns: The state.
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { .init(id: id) }
}

/// An identifier that distinguishes intervals with the same name.
public struct OSSignpostID: Hashable, Sendable {
    /// The default identifier of signposts.
    public static let exclusive = OSSignpostID(rawValue: 0xEEEE_B0B5_B2B2_EEEE)
    /// No identifier.
    public static let null = OSSignpostID(rawValue: 0)
    /// An invalid identifier.
    public static let invalid = OSSignpostID(rawValue: .max)

    /// The number of the identifier.
    public let rawValue: UInt64

    /// Creates an identifier from a number.
    ///
    /// - Parameter value: The number.
    public init(_ value: UInt64) { rawValue = value }

    /// Creates an identifier that is unique in this process.
    ///
    /// - Parameter log: Ignored.
    public init(log: OSLog) { self = .next() }

    /// Creates the identifier of an object, which is unique while the object exists.
    ///
    /// - Parameters:
    ///   - log: Ignored.
    ///   - object: The object.
    public init(log: OSLog, object: AnyObject) {
        rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
    }

    init(rawValue: UInt64) { self.rawValue = rawValue }

    private static let count = OSAllocatedUnfairLock(initialState: UInt64(0))

    static func next() -> OSSignpostID {
        OSSignpostID(
            rawValue: count.withLock { count in
                count += 1
                return count
            })
    }
}

/// The kind of a signpost: an event, or the beginning or end of an interval.
public struct OSSignpostType: RawRepresentable, Hashable, Sendable {
    /// A single event.
    public static let event = OSSignpostType(rawValue: 0)
    /// The beginning of an interval.
    public static let begin = OSSignpostType(rawValue: 1)
    /// The end of an interval.
    public static let end = OSSignpostType(rawValue: 2)

    /// Apple's number of the kind.
    public let rawValue: UInt8

    /// Creates a kind from Apple's number.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// Does nothing, because Linux has no Instruments.
///
/// - Parameters:
///   - type: The kind of signpost.
///   - dso: Ignored.
///   - log: The log.
///   - name: The signpost's name.
///   - signpostID: The signpost's identifier.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive
) {}

/// Does nothing, because Linux has no Instruments.
///
/// - Parameters:
///   - type: The kind of signpost.
///   - dso: Ignored.
///   - log: The log.
///   - name: The signpost's name.
///   - signpostID: The signpost's identifier.
///   - format: A format string, which isn't used.
///   - arguments: The format's arguments.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any...
) {}
