public import Foundation

/// An error of HealthKit's, as `catch HKError.errorNoData` and `error as? HKError` meet it.
///
/// ```
/// do { try await store.save(sample) } catch HKError.errorAuthorizationDenied { … }
/// (error as NSError).domain   // "com.apple.healthkit"
/// ```
///
/// `localizedDescription` carries the words that apps know where HealthKit's are well known
/// (Semantics §6.10); ``reason`` says what was wrong with this call. Neither holds a
/// health value.
public struct HKError: _BridgedStoredNSError, Sendable {
    public let _nsError: NSError

    /// The bridge's own door; domains other than ``errorDomain`` are taken as they are.
    public init(_nsError error: NSError) { _nsError = error }

    /// The bridge's name for ``errorDomain``.
    public static var _nsErrorDomain: String { HKErrorDomain }
    /// "com.apple.healthkit".
    public static var errorDomain: String { HKErrorDomain }
}

extension HKError.Code: _ErrorCodeProtocol {
    public typealias _ErrorType = HKError
}

extension HKError {
    /// An error with a message of its own; not Apple's.
    ///
    /// - Parameters:
    ///   - code: What went wrong, for code to tell apart.
    ///   - message: Where and what, without a health value. It is the `localizedDescription`, unless
    ///     the code has well-known words: then it is the ``reason`` beside them.
    public init(_ code: Code, _ message: String) {
        let description = code.wellKnownText ?? message
        self.init(
            _nsError: NSError(
                domain: HKErrorDomain, code: code.rawValue,
                userInfo: [
                    NSLocalizedDescriptionKey: description,
                    NSLocalizedFailureReasonErrorKey: message,
                ]))
    }

    /// An error with its code's well-known words; not Apple's.
    init(wellKnown code: Code) {
        self.init(code, code.wellKnownText ?? "HealthKit error \(code.rawValue)")
    }

    /// What was wrong with this call, where the description has the code's well-known words;
    /// not Apple's.
    public var reason: String {
        _nsError.userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? localizedDescription
    }
}

#if !canImport(ObjectiveC)
    extension HKError: _ObjectiveCBridgeable {
        /// Lets `error as? HKError` find the error in an `NSError` of HealthKit's domain.
        public func _bridgeToObjectiveC() -> NSError { _nsError }

        /// The bridge's own door; see ``_conditionallyBridgeFromObjectiveC(_:result:)``.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout HKError?) {
            _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
        }

        /// The bridge's own door: an error of another domain is none of HealthKit's.
        public static func _conditionallyBridgeFromObjectiveC(
            _ source: NSError, result: inout HKError?
        ) -> Bool {
            guard source.domain == HKErrorDomain else { return false }
            result = HKError(_nsError: source)
            return true
        }

        /// The bridge's own door.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> HKError {
            source.map { HKError(_nsError: $0) } ?? HKError(.unknownError)
        }
    }
#endif
