import Foundation
import HealthSimulator
import HealthSync
import Synchronization

/// Lets a schedule's faults strike in the midst of an app's work, and tells which did where.
final class TortureProbe: Sendable {
    private struct Armed {
        var fault: SyncFault
        var moment: SyncMoment
        var reached = 0
    }

    private struct State {
        var armed: [Armed] = []
        /// How many faults are being played.
        var striking = 0
        var hits: Set<SyncPair> = []
        var reached: Set<SyncStep> = []
        /// How many more actions the app's disk stays full for.
        var fullFor = 0
        var trouble: [String] = []
    }

    /// What a process of the app is known by. It runs on one phone, and ends when the app's files move
    /// to another.
    final class Life: Sendable {
        private let dead = Mutex(false)
        private let work = Mutex<(@Sendable () -> Void)?>(nil)
        private let world: ScheduledWorld
        private let phone: Int

        /// A process on the present phone; take the phone's health store for it afterwards.
        init(in world: ScheduledWorld) {
            self.world = world
            phone = world.phones
        }

        var isDead: Bool { dead.withLock { $0 } || phone < world.phones }
        func kill() { dead.withLock { $0 = true } }

        /// What cancels the work that is going on.
        func setCancellation(_ cancel: (@Sendable () -> Void)?) { work.withLock { $0 = cancel } }
        func cancelWork() { work.withLock { $0 }?() }
    }

    private let state = Mutex(State())
    private let world: ScheduledWorld
    private let ledger: TortureLedger
    /// The app's process, for spoiling its positions.
    private let client = Mutex<(any SyncClient)?>(nil)

    init(_ world: ScheduledWorld, _ ledger: TortureLedger) {
        self.world = world
        self.ledger = ledger
    }

    var hits: Set<SyncPair> { state.withLock { $0.hits } }
    /// Faults that could not be played.
    var trouble: [String] { state.withLock { $0.trouble } }
    /// The steps reached since they were last taken.
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

    /// Whether a fault waits for a step.
    func isArmed(at step: SyncMoment.Step) -> Bool {
        state.withLock { state in state.armed.contains { $0.moment.step == step } }
    }

    /// Whether a fault is being played that struck in the midst of work.
    var isStriking: Bool { state.withLock { $0.striking > 0 } }

    func disarm() {
        state.withLock { state in
            state.armed = []
            state.fullFor = 0
        }
    }

    /// An action has ended: a full disk is cleared after some.
    func actionEnded() { state.withLock { $0.fullFor = max(0, $0.fullFor - 1) } }

    func freeDisk() { state.withLock { $0.fullFor = 0 } }

    /// The probe of one process.
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

    /// Has a fault happen now.
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
            // Every process on the phone before ends with this.
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
    /// Whether the app's file is being written when it is reached.
    var isInTransaction: Bool {
        switch self {
        case .transactionBegun, .rowsWritten, .positionWritten: true
        default: false
        }
    }
}
