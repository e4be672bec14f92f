import Testing

/// What handlers said, in the order in which they said it.
// Guarded by `lock`.
final class Journal<Entry: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var written: [Entry] = []

    func write(_ entry: Entry) { lock.withLock { written.append(entry) } }
    var entries: [Entry] { lock.withLock { written } }
    var count: Int { entries.count }
}

/// A condition that didn't come true in time.
struct Expired: Error, CustomStringConvertible {
    let description: String
}

/// Returns as soon as a condition is true; the time is only an upper bound.
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

/// As ``waitFor(_:within:_:)`` for a journal that shall hold so many entries.
@discardableResult
func waitFor<Entry>(
    _ count: Int, in journal: Journal<Entry>, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> [Entry] {
    try await waitFor("\(count) entries at \(sourceLocation)") { journal.count >= count }
    return journal.entries
}
