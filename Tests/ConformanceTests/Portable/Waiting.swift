import Testing

/// The values that handlers reported, in order.
// Protected by `lock`.
final class Journal<Entry: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var written: [Entry] = []

    func write(_ entry: Entry) { lock.withLock { written.append(entry) } }
    var entries: [Entry] { lock.withLock { written } }
    var count: Int { entries.count }
}

/// The error for a condition that didn't become true in time.
struct Expired: Error, CustomStringConvertible {
    let description: String
}

/// Waits until a condition is true, or fails after a timeout.
func waitFor(
    _ what: String, within limit: Duration = .seconds(60),
    _ isTrue: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while try await !isTrue() {
        guard clock.now < deadline else { throw Expired(description: "waited for \(what)") }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Waits like ``waitFor(_:within:_:)`` until a journal has `count` entries.
@discardableResult
func waitFor<Entry>(
    _ count: Int, in journal: Journal<Entry>, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> [Entry] {
    try await waitFor("\(count) entries at \(sourceLocation)") { journal.count >= count }
    return journal.entries
}
