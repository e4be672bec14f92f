import Foundation
import Synchronization

/// A cache of response texts, valid while the store's revision is unchanged.
///
/// A page depends on the store and the current day. In every time zone days begin at a multiple of
/// 15 minutes, so a cached response is only valid within its quarter of an hour.
final class KeptAnswers: Sendable {
    private struct State {
        var revision = 0
        var quarter = 0.0
        var texts: [String: String] = [:]
    }

    static let limit = 64
    private static let quarter = 900.0
    private let state = Mutex(State())

    func text(_ address: String, at revision: Int) -> String? {
        let quarter = KeptAnswers.quarter(.now)
        return state.withLock { state in
            state.revision == revision && state.quarter == quarter ? state.texts[address] : nil
        }
    }

    /// - Parameter asked: The time at which composing the response began.
    func keep(_ text: String, for address: String, at revision: Int, asked: Date) {
        let quarter = KeptAnswers.quarter(asked)
        state.withLock { state in
            if state.revision != revision || state.quarter != quarter
                || state.texts.count >= KeptAnswers.limit
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
