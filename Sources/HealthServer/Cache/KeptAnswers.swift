import Foundation
import Synchronization

/// Answers as they were sent, for as long as nothing has changed that they rest on.
///
/// A page rests on the store and the day. Days begin at quarters of an hour in every zone, so an answer
/// never outlives one.
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

    /// - Parameter asked: When the answer's making began.
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
