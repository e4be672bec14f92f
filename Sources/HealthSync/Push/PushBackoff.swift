import Foundation

/// When a push may send again after failures: exponential backoff with jitter, the server's
/// Retry-After, and a stop after a refused token. All types share it.
struct PushBackoff {
    /// The delay after the first failure, in seconds; it doubles with each further one.
    static let first: TimeInterval = 2
    /// The maximum delay, in seconds, unless the server asks for a longer one.
    static let maximum: TimeInterval = 600
    /// The maximum delay that a server can ask for, in seconds.
    static let maximumRetryAfter: TimeInterval = 86_400

    private(set) var failures = 0
    private(set) var next: Date?
    private(set) var isUnauthorized = false

    /// Throws unless sending is allowed now.
    func requirePermission(at now: Date, _ lastError: PushError?) throws(PushError) {
        if isUnauthorized { throw PushError(.unauthorized) }
        guard let next, next > now else { return }
        throw PushError(
            lastError?.code ?? .offline, retryDelay: .seconds(next.timeIntervalSince(now)))
    }

    mutating func succeed() { self = PushBackoff() }

    /// Notes a failure, and returns it with the delay before the next attempt.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - retryAfter: The server's delay in seconds; nil without one.
    ///   - random: A random number from 0 to 1. It spreads the attempts of many senders.
    mutating func fail(
        _ code: PushError.Code, retryAfter: TimeInterval?, at now: Date, random: Double
    ) -> PushError {
        if code == .unauthorized {
            isUnauthorized = true
            return PushError(code)
        }
        failures += 1
        let whole = min(Self.maximum, Self.first * pow(2, Double(min(failures, 20) - 1)))
        let asked = min(max(retryAfter ?? 0, 0), Self.maximumRetryAfter)
        // From half the delay to the whole, or from the server's delay on.
        let delay =
            asked > whole / 2 ? asked + whole / 2 * random : whole / 2 + whole / 2 * random
        next = now.addingTimeInterval(delay)
        return PushError(code, retryDelay: .seconds(delay))
    }
}
