import Testing

/// The values that handlers reported, in order.
// Protected by `lock`.
final class Recorder<Entry: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [Entry] = []

    func record(_ entry: Entry) { lock.withLock { recorded.append(entry) } }
    var entries: [Entry] { lock.withLock { recorded } }
    var count: Int { entries.count }
}

/// The error for a condition that didn't become true in time.
struct WaitTimeout: Error, CustomStringConvertible {
    let description: String
}

/// Waits until a condition is true, or fails after a timeout.
func waitFor(
    _ condition: String, within limit: Duration = .seconds(60),
    _ isTrue: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while try await !isTrue() {
        guard clock.now < deadline else {
            throw WaitTimeout(description: "waited for \(condition)")
        }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Waits like ``waitFor(_:within:_:)`` until a recorder has `count` entries.
@discardableResult
func waitFor<Entry>(
    _ count: Int, in recorder: Recorder<Entry>, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> [Entry] {
    try await waitFor("\(count) entries at \(sourceLocation)") { recorder.count >= count }
    return recorder.entries
}
