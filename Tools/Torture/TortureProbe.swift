import Foundation
import HealthSync
import Synchronization

/// Applies a schedule's faults during the app's work, and records which fault occurred after which
/// step.
final class TortureProbe: Sendable {
    private struct Armed {
        var fault: SyncFault
        var moment: SyncMoment
        var reached = 0
    }

    private struct State {
        var armed: [Armed] = []
        /// The number of faults that are being applied during the app's work.
        var injections = 0
        var hits: Set<SyncPair> = []
        var reached: Set<SyncStep> = []
        /// The number of actions, with the one in progress, until the app's disk is freed.
        var fullFor = 0
        var errors: [String] = []
    }

    /// A simulated process of the app on one phone. It ends when it is killed, or when the app
    /// moves to another phone.
    final class AppProcess: Sendable {
        private let isKilled = Mutex(false)
        private let work = Mutex<(@Sendable () -> Void)?>(nil)
        private let world: ScheduledWorld
        private let phone: Int

        /// Creates a process on the current phone. Get ``ScheduledWorld/store`` only afterwards: if
        /// the phone changes in between, this process counts as ended.
        init(in world: ScheduledWorld) {
            self.world = world
            phone = world.phones
        }

        var hasEnded: Bool { isKilled.withLock { $0 } || phone < world.phones }
        func kill() { isKilled.withLock { $0 = true } }

        /// Sets the function that cancels the work in progress; nil if there is none.
        func setCancellation(_ cancel: (@Sendable () -> Void)?) { work.withLock { $0 = cancel } }
        func cancelWork() { work.withLock { $0 }?() }
    }

    private let state = Mutex(State())
    private let world: ScheduledWorld
    private let ledger: TransactionalRecorder
    /// The running client, whose positions a fault can damage; nil if none runs.
    private let client = Mutex<(any SyncClient)?>(nil)

    init(_ world: ScheduledWorld, _ ledger: TransactionalRecorder) {
        self.world = world
        self.ledger = ledger
    }

    var hits: Set<SyncPair> { state.withLock { $0.hits } }
    /// The errors that occurred while faults were applied during the app's work.
    var errors: [String] { state.withLock { $0.errors } }
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

    /// Whether a fault at a step of the app's work is being applied at this moment.
    var isInjecting: Bool { state.withLock { $0.injections > 0 } }

    func disarm() {
        state.withLock { state in
            state.armed = []
            state.fullFor = 0
        }
    }

    /// Records the end of an action. After a fault has filled the app's disk, the second call frees
    /// it.
    func actionEnded() { state.withLock { $0.fullFor = max(0, $0.fullFor - 1) } }

    func freeDisk() { state.withLock { $0.fullFor = 0 } }

    /// Returns the probe that HealthSync calls at each step in a process.
    func probe(of process: AppProcess) -> SyncProbe {
        SyncProbe { [self] step in
            if process.hasEnded { throw ProcessKilled() }
            try inject(at: step, process)
        }
    }

    private func inject(at step: SyncStep, _ process: AppProcess) throws {
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
            state.injections += due.count
            return due
        }
        defer { state.withLock { $0.injections -= faults.count } }
        for fault in faults {
            guard TortureCoverage.isPossible(fault.kind, at: step) else { continue }
            hit(fault.kind, step)
            do {
                try play(fault, process)
            } catch let error where !(error is ProcessKilled) {
                state.withLock { $0.errors.append("\(fault) at \(step.rawValue): \(error)") }
            }
        }
        if step.isInTransaction, state.withLock({ $0.fullFor > 0 }) { throw SyncProbe.diskFull }
    }

    private func hit(_ kind: SyncFault.Kind, _ step: SyncStep) {
        guard let moment = SyncMoment.Step(rawValue: step.rawValue), !kind.isRepair else { return }
        _ = state.withLock { $0.hits.insert(SyncPair(kind, after: moment)) }
    }

    /// Applies a fault now.
    func play(_ fault: SyncFault, _ process: AppProcess) throws {
        switch fault.kind {
        case .mirrorDiskFull: state.withLock { $0.fullFor = 2 }
        case .anchorLost: try losePositions(.forgotten)
        case .anchorForeign: try losePositions(.foreign)
        case .taskCancelled: process.cancelWork()
        case .processKilled:
            process.kill()
            throw ProcessKilled()
        case .emptyPhone:
            // The new phone also ends every process on the previous one.
            try world.replacePhone()
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
