/// Exponential backoff with jitter: the delays between attempts to connect.
package struct Backoff: Sendable {
    /// The delay after the first failure.
    package var initial = Duration.milliseconds(100)
    /// The longest delay.
    package var maximum = Duration.seconds(5)
    /// Returns a factor in a range. It spreads the attempts of many clients.
    package var jitter: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

    package init() {}

    /// Returns the delay after a number of failures in succession: between half and all of
    /// `initial` · 2^(failures − 1), or of `maximum` if that is less.
    ///
    /// - Parameter failures: The number of failures.
    /// - Returns: The delay.
    package func delay(afterFailures failures: Int) -> Duration {
        let doubled = initial * (1 << min(max(failures - 1, 0), 20))
        return min(doubled, maximum) * min(max(jitter(0.5...1), 0), 1)
    }
}
