import Foundation
import Synchronization

/// A cache of the texts of responses. A text is valid until the store's revision or the quarter of
/// an hour changes.
///
/// A page depends on the store and on the current day. In all of today's time zones days begin at a
/// multiple of 15 minutes of UTC, so the day can only change with the quarter of an hour.
final class ResponseCache: Sendable {
    private struct State {
        var revision = 0
        var quarter = 0.0
        var texts: [String: String] = [:]
    }

    /// The maximum number of texts. A further one empties the cache first.
    static let limit = 64
    private static let quarter = 900.0
    private let state = Mutex(State())

    func text(_ address: String, at revision: Int) -> String? {
        let quarter = ResponseCache.quarter(.now)
        return state.withLock { state in
            state.revision == revision && state.quarter == quarter ? state.texts[address] : nil
        }
    }

    /// Caches a response.
    ///
    /// - Parameter requestedAt: The time at which composing the response began. It determines the
    ///   quarter of an hour.
    func insert(
        _ text: String, for address: String, at revision: Int, requestedAt: Date
    ) {
        let quarter = ResponseCache.quarter(requestedAt)
        state.withLock { state in
            if state.revision != revision || state.quarter != quarter
                || state.texts.count >= ResponseCache.limit
            {
                state = State(revision: revision, quarter: quarter)
            }
            state.texts[address] = text
        }
    }

    private static func quarter(_ date: Date) -> Double {
        (date.timeIntervalSinceReferenceDate / quarter).rounded(.down)
    }
}
