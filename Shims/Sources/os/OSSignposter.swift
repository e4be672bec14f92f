/// Marks intervals and events for Instruments, which Linux doesn't have: bodies run, nothing is
/// recorded.
public struct OSSignposter: Sendable {
    /// A signposter that records nothing, like every other here.
    public static let disabled = OSSignposter()

    public init() {}
    public init(subsystem: String, category: String) {}
    public init(subsystem: String, category: OSLog.Category) {}
    public init(logger: Logger) {}
    public init(logHandle: OSLog) {}

    /// Always false.
    public var isEnabled: Bool { false }

    /// An identifier unlike all others of this process.
    public func makeSignpostID() -> OSSignpostID { OSSignpostID.next() }

    /// The identifier that belongs to an object as long as it lives.
    public func makeSignpostID(from object: AnyObject) -> OSSignpostID {
        OSSignpostID(rawValue: UInt64(UInt(bitPattern: ObjectIdentifier(object))))
    }

    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive,
        _ message: @autoclosure () -> OSLogMessage = ""
    ) -> OSSignpostIntervalState { OSSignpostIntervalState(id: id) }

    public func endInterval(
        _ name: StaticString, _ state: OSSignpostIntervalState,
        _ message: @autoclosure () -> OSLogMessage = ""
    ) {}

    public func emitEvent(
        _ name: StaticString, id: OSSignpostID = .exclusive,
        _ message: @autoclosure () -> OSLogMessage = ""
    ) {}

    /// Runs `around` and returns its result.
    public func withIntervalSignpost<T>(
        _ name: StaticString, id: OSSignpostID = .exclusive,
        _ message: @autoclosure () -> OSLogMessage = "", around: () throws -> T
    ) rethrows -> T { try around() }
}

/// What ties the end of an interval to its beginning.
public final class OSSignpostIntervalState: Sendable {
    public let id: OSSignpostID

    init(id: OSSignpostID) { self.id = id }

    /// The state of an interval that began elsewhere.
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { .init(id: id) }
}

/// Tells intervals of one name apart.
public struct OSSignpostID: Hashable, Sendable {
    public static let exclusive = OSSignpostID(rawValue: 0xEEEE_B0B5_B2B2_EEEE)
    public static let null = OSSignpostID(rawValue: 0)
    public static let invalid = OSSignpostID(rawValue: .max)

    public let rawValue: UInt64

    public init(_ value: UInt64) { rawValue = value }

    public init(log: OSLog) { self = .next() }

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

/// What a signpost marks.
public struct OSSignpostType: RawRepresentable, Hashable, Sendable {
    public static let event = OSSignpostType(rawValue: 0)
    public static let begin = OSSignpostType(rawValue: 1)
    public static let end = OSSignpostType(rawValue: 2)

    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// Marks a moment for Instruments: nothing happens.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive
) {}

/// Marks a moment for Instruments: nothing happens.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any...
) {}
