public import Foundation
import HealthCalendar
import HealthStorage

/// An error of HealthKit, for use with `catch HKError.errorNoData` and `error as? HKError`.
///
/// ```
/// do { try await store.save(sample) } catch HKError.errorAuthorizationDenied { … }
/// (error as NSError).domain   // "com.apple.healthkit"
/// ```
///
/// `localizedDescription` is the text of Apple's platforms where it is well known (Semantics
/// §6.10). ``reason`` describes the error of this call. The messages of this package do not contain
/// health values.
public struct HKError: _BridgedStoredNSError, Sendable {
    /// The Foundation error.
    public let _nsError: NSError

    /// Required for bridging. Domains other than ``errorDomain`` are accepted unchanged.
    ///
    /// - Parameter error: The Foundation error.
    public init(_nsError error: NSError) { _nsError = error }

    /// The error domain, as required for bridging.
    public static var _nsErrorDomain: String { HKErrorDomain }
    /// The error domain: "com.apple.healthkit".
    public static var errorDomain: String { HKErrorDomain }
}

extension HKError.Code: _ErrorCodeProtocol {
    /// The error type of the codes.
    public typealias _ErrorType = HKError
}

extension HKError {
    /// Creates an error with a message. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - message: What happened and where, without health values. It becomes the
    ///     `localizedDescription`, or the ``reason`` if the code has a well-known description.
    public init(_ code: Code, _ message: String) { self.init(code, message, userInfo: [:]) }

    /// Creates an error with a message and the grants that would prevent it.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - message: What happened and where, without health values.
    ///   - missing: The value of ``missingGrant``: the grants that the store's owner would have to
    ///     add; nil if authorization is not decided by the owner.
    init(_ code: Code, _ message: String, missing: MissingGrant?) {
        self.init(code, message, userInfo: missing.map { [HKError.missingGrantKey: $0] } ?? [:])
    }

    /// Creates an error with a message and further entries of `userInfo`.
    init(_ code: Code, _ message: String, userInfo: [String: Any]) {
        let descriptions: [String: Any] = [
            NSLocalizedDescriptionKey: code.wellKnownText ?? message,
            NSLocalizedFailureReasonErrorKey: message,
        ]
        self.init(
            _nsError: NSError(
                domain: HKErrorDomain, code: code.rawValue,
                userInfo: userInfo.merging(descriptions) { _, description in description }))
    }

    /// Creates an error with the well-known description of its code. Without one, the description
    /// is a text with the number of the code. Not part of Apple's API.
    init(wellKnown code: Code) {
        self.init(code, code.wellKnownText ?? "HealthKit error \(code.rawValue)")
    }

    /// The message for this call, also where `localizedDescription` is the code's well-known text.
    /// For an error that was created without a message, it is `localizedDescription`. Not part of
    /// Apple's API.
    public var reason: String {
        _nsError.userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? localizedDescription
    }

    /// The grants that the store's owner would have to add for the call to succeed. Not part of
    /// Apple's API.
    ///
    /// Nil for errors with other causes, and unless the store uses ``AuthorizationPolicy/stored``.
    public var missingGrant: MissingGrant? {
        _nsError.userInfo[HKError.missingGrantKey] as? MissingGrant
    }

    private static var missingGrantKey: String { "OpenHealthKit.missingGrant" }
}

/// The grants that an app lacks and that the owner of the store can add. Not part of Apple's API.
public struct MissingGrant: Hashable, Sendable {
    /// The bundle identifier of the app.
    public let app: String
    /// The catalogue names of the types to save, such as "stepCount".
    public let share: [String]
    /// The catalogue names of the types to read.
    public let read: [String]

    /// Creates a list of missing grants.
    ///
    /// - Parameters:
    ///   - app: The bundle identifier of the app.
    ///   - share: The catalogue names of the types to save.
    ///   - read: The catalogue names of the types to read.
    package init(app: String, share: [String], read: [String]) {
        self.app = app
        self.share = share
        self.read = read
    }
}

#if !canImport(ObjectiveC)
    extension HKError: _ObjectiveCBridgeable {
        /// Returns the Foundation error, so that `error as? HKError` can convert it back.
        ///
        /// - Returns: The Foundation error.
        public func _bridgeToObjectiveC() -> NSError { _nsError }

        /// Required for bridging; see ``_conditionallyBridgeFromObjectiveC(_:result:)``.
        ///
        /// - Parameters:
        ///   - source: The Foundation error.
        ///   - result: Receives the error; unchanged for an error of another domain.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout HKError?) {
            _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
        }

        /// Required for bridging: converts an error of HealthKit's domain.
        ///
        /// - Parameters:
        ///   - source: The Foundation error.
        ///   - result: Receives the error; unchanged for an error of another domain.
        /// - Returns: Whether the error has HealthKit's domain.
        public static func _conditionallyBridgeFromObjectiveC(
            _ source: NSError, result: inout HKError?
        ) -> Bool {
            guard source.domain == HKErrorDomain else { return false }
            result = HKError(_nsError: source)
            return true
        }

        /// Required for bridging: converts an error of any domain.
        ///
        /// - Parameter source: The Foundation error; nil for an unknown error.
        /// - Returns: The error.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> HKError {
            source.map { HKError(_nsError: $0) } ?? HKError(.unknownError)
        }
    }
#endif

extension HKError {
    /// Converts an error of the storage layer, which becomes the underlying error.
    init(_ error: StoreError) {
        self.init(
            HKError.code(error.code), error.description, userInfo: [NSUnderlyingErrorKey: error])
    }

    /// Converts any error: errors of the storage layer and the calendar are translated, others
    /// become `unknownError` with their description.
    init(reporting error: any Error) {
        switch error {
        case let error as HKError: self = error
        case let error as StoreError: self.init(error)
        case let error as CalendarError: self.init(.errorInvalidArgument, error.description)
        default: self.init(.unknownError, "\(error)")
        }
    }

    private static func code(_ code: StoreError.Code) -> Code {
        switch code {
        case .missing, .notAStore, .newerVersion, .notPermitted, .corrupt,
            .alteredSchema:
            .errorHealthDataUnavailable
        case .busy, .full, .failed: .errorDatabaseInaccessible
        case .unknownSource, .ambiguousSource, .unknownType, .invalidArgument, .unknownSample:
            .errorInvalidArgument
        case .notOwner: .errorAuthorizationDenied
        case .cancelled: .errorUserCanceled
        }
    }
}

/// Runs a closure and converts its errors with ``HKError/init(reporting:)``.
func translatingErrors<Value>(_ body: () throws -> Value) throws(HKError) -> Value {
    do { return try body() } catch { throw HKError(reporting: error) }
}
