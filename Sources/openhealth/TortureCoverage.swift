import HealthSimulator
import HealthSync

/// Which faults struck after which steps, and which can't.
struct TortureCoverage: Sendable {
    private(set) var hits: Set<SyncPair> = []

    mutating func add(_ new: Set<SyncPair>) { hits.formUnion(new) }

    /// Every pair that can happen.
    static let pairs = SyncPair.all.filter { exclusion($0) == nil }

    /// Pairs that can happen and did not.
    var missing: [SyncPair] { Self.pairs.filter { !hits.contains($0) } }

    /// Why a pair can't happen; nil if it can.
    static func exclusion(_ pair: SyncPair) -> String? {
        guard let step = SyncStep(rawValue: pair.step.rawValue) else { return nil }
        return exclusions.first { $0.faults.contains(pair.fault) && $0.steps.contains(step) }?
            .reason
    }

    static func isPossible(_ fault: SyncFault.Kind, at step: SyncStep) -> Bool {
        guard let moment = SyncMoment.Step(rawValue: step.rawValue) else { return true }
        return exclusion(SyncPair(fault, after: moment)) == nil
    }

    /// What can't happen, and why.
    static let exclusions: [(faults: Set<SyncFault.Kind>, steps: Set<SyncStep>, reason: String)] = [
        (
            [.anchorLost, .anchorForeign], [.transactionBegun, .rowsWritten, .positionWritten],
            "positions lie in the file that is being written: who spoils them waits for it"
        ),
        (
            [.taskCancelled], [.woken, .completionCalled],
            "nobody waits for what HealthKit wakes: there is no task to cancel"
        ),
    ]
}
