import Foundation
import HealthSync
import Synchronization

/// Applies a schedule's faults during the app's work, and records which occurred where.
final class TortureProbe: Sendable {
    private struct Armed {
        var fault: SyncFault
        var moment: SyncMoment
        var reached = 0
    }

    private struct State {
        var armed: [Armed] = []
        /// The number of faults that are being applied during the app's work.
        var striking = 0
        var hits: Set<SyncPair> = []
        var reached: Set<SyncStep> = []
        /// The number of further actions for which the app's disk stays full.
        var fullFor = 0
        var trouble: [String] = []
    }

    /// The identity of an app process. It runs on one phone, and ends when the app's files move to
    /// another.
    final class Life: Sendable {
        private let dead = Mutex(false)
        private let work = Mutex<(@Sendable () -> Void)?>(nil)
        private let world: ScheduledWorld
        private let phone: Int

        /// Creates a process on the current phone. Get ``ScheduledWorld/store`` only afterwards: if
        /// the phone changes in between, this process counts as dead.
        init(in world: ScheduledWorld) {
            self.world = world
            phone = world.phones
        }

        var isDead: Bool { dead.withLock { $0 } || phone < world.phones }
        func kill() { dead.withLock { $0 = true } }

        /// Sets the function that cancels the work in progress.
        func setCancellation(_ cancel: (@Sendable () -> Void)?) { work.withLock { $0 = cancel } }
        func cancelWork() { work.withLock { $0 }?() }
    }

    private let state = Mutex(State())
    private let world: ScheduledWorld
    private let ledger: TransactionalRecorder
    /// The app's client, for damaging its positions.
    private let client = Mutex<(any SyncClient)?>(nil)

    init(_ world: ScheduledWorld, _ ledger: TransactionalRecorder) {
        self.world = world
        self.ledger = ledger
    }

    var hits: Set<SyncPair> { state.withLock { $0.hits } }
    /// Errors while applying faults.
    var trouble: [String] { state.withLock { $0.trouble } }
    /// Returns the steps reached since the last call.
    func takeReached() -> Set<SyncStep> {
        state.withLock { state in
            defer { state.reached = [] }
            return state.reached
        }
    }

    func setClient(_ new: (any SyncClient)?) { client.withLock { $0 = new } }

    func arm(_ fault: SyncFault, _ moment: SyncMoment) {
        state.withLock { $0.armed.append(Armed(fault: fault, moment: moment)) }
    }

    /// Returns whether a fault is armed for a step.
    func isArmed(at step: SyncMoment.Step) -> Bool {
        state.withLock { state in state.armed.contains { $0.moment.step == step } }
    }

    /// Whether a fault that occurred during the app's work is still in progress.
    var isInjecting: Bool { state.withLock { $0.striking > 0 } }

    func disarm() {
        state.withLock { state in
            state.armed = []
            state.fullFor = 0
        }
    }

    /// Notes the end of an action. A full disk of the app is freed after two actions.
    func actionEnded() { state.withLock { $0.fullFor = max(0, $0.fullFor - 1) } }

    func freeDisk() { state.withLock { $0.fullFor = 0 } }

    /// Returns the probe of a process.
    func probe(of life: Life) -> SyncProbe {
        SyncProbe { [self] step in
            if life.isDead { throw ProcessKilled() }
            try strike(at: step, life)
        }
    }

    private func strike(at step: SyncStep, _ life: Life) throws {
        let faults = state.withLock { state -> [SyncFault] in
            state.reached.insert(step)
            var due: [SyncFault] = []
            for index in state.armed.indices
            where state.armed[index].moment.step.rawValue == step.rawValue {
                state.armed[index].reached += 1
                if state.armed[index].reached == state.armed[index].moment.occurrence {
                    due.append(state.armed[index].fault)
                }
            }
            state.armed.removeAll { $0.reached >= $0.moment.occurrence }
            state.striking += due.count
            return due
        }
        defer { state.withLock { $0.striking -= faults.count } }
        for fault in faults {
            guard TortureCoverage.isPossible(fault.kind, at: step) else { continue }
            hit(fault.kind, step)
            do {
                try play(fault, life)
            } catch let error where !(error is ProcessKilled) {
                state.withLock { $0.trouble.append("\(fault) at \(step.rawValue): \(error)") }
            }
        }
        if step.isInTransaction, state.withLock({ $0.fullFor > 0 }) { throw SyncProbe.diskFull }
    }

    private func hit(_ kind: SyncFault.Kind, _ step: SyncStep) {
        guard let moment = SyncMoment.Step(rawValue: step.rawValue), !kind.isRepair else { return }
        _ = state.withLock { $0.hits.insert(SyncPair(kind, after: moment)) }
    }

    /// Applies a fault now.
    func play(_ fault: SyncFault, _ life: Life) throws {
        switch fault.kind {
        case .mirrorDiskFull: state.withLock { $0.fullFor = 2 }
        case .anchorLost: try losePositions(.forgotten)
        case .anchorForeign: try losePositions(.foreign)
        case .taskCancelled: life.cancelWork()
        case .processKilled:
            life.kill()
            throw ProcessKilled()
        case .emptyPhone:
            // Ends every process on the previous phone.
            try world.getPhone()
            throw ProcessKilled()
        case .diskFreed:
            freeDisk()
            try world.play(fault)
        default: try world.play(fault)
        }
    }

    private func losePositions(_ loss: PositionLoss) throws {
        ledger.lose(loss)
        try client.withLock { $0 }?.losePositions(loss)
    }
}

extension SyncStep {
    /// Whether a transaction of the app's file is open at this step.
    var isInTransaction: Bool {
        switch self {
        case .transactionBegun, .rowsWritten, .positionWritten: true
        default: false
        }
    }
}
