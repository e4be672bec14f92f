import HealthPeople
import Testing

/// The delays between attempts to connect.
@Suite struct BackoffTests {
    @Test("The delays double up to the maximum") func doubling() {
        var backoff = Backoff()
        backoff.jitter = { $0.upperBound }
        let delays = [1, 2, 3, 7, 1_000_000].map(backoff.delay(afterFailures:))
        #expect(
            delays == [
                .milliseconds(100), .milliseconds(200), .milliseconds(400), .seconds(5),
                .seconds(5),
            ])
    }

    @Test("The jitter takes at most half of the delay") func jitter() {
        var backoff = Backoff()
        backoff.jitter = { $0.lowerBound }
        #expect(backoff.delay(afterFailures: 1) == .milliseconds(50))
        backoff.jitter = { _ in -1 }
        #expect(backoff.delay(afterFailures: 1) == .zero)
    }
}
