import Synchronization

/// The open event streams: which there are, and when one has to look again.
final class EventStreams: Sendable {
    /// Streams of one session; a browser keeps six connections to a server at most, and needs one
    /// for the pages.
    static let limit = 4

    private struct Stream {
        var number: Int
        var owner: String
        var continuation: AsyncStream<Void>.Continuation
    }

    private struct State {
        var last = 0
        var streams: [Stream] = []
        var hasEnded = false
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.streams.count } }

    /// A stream of calls to look again; it ends with ``end()``, when its session opens too many, or when
    /// it is ended by itself.
    func open(for owner: String) -> (calls: AsyncStream<Void>, end: @Sendable () -> Void) {
        let (calls, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let (number, left) = state.withLock { state -> (Int, Stream?) in
            guard !state.hasEnded else { return (0, nil) }
            state.last += 1
            state.streams.append(
                Stream(number: state.last, owner: owner, continuation: continuation))
            guard state.streams.count(where: { $0.owner == owner }) > EventStreams.limit,
                let oldest = state.streams.firstIndex(where: { $0.owner == owner })
            else { return (state.last, nil) }
            return (state.last, state.streams.remove(at: oldest))
        }
        left?.continuation.finish()
        if number == 0 { continuation.finish() }
        continuation.onTermination = { [weak self] _ in self?.close(number) }
        return (calls, { continuation.finish() })
    }

    /// Calls all of them.
    func call() {
        for stream in state.withLock({ $0.streams }) { stream.continuation.yield() }
    }

    /// Ends all of them; none is opened after.
    func end() {
        let streams = state.withLock { state in
            state.hasEnded = true
            return state.streams
        }
        for stream in streams { stream.continuation.finish() }
    }

    private func close(_ number: Int) {
        state.withLock { state in state.streams.removeAll { $0.number == number } }
    }
}
