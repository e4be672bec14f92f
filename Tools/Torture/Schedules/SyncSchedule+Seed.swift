import HealthSimulator

/// A fault and the step after which it occurs.
struct SyncPair: Hashable, Sendable, Codable {
    var fault: SyncFault.Kind
    var step: SyncMoment.Step

    init(_ fault: SyncFault.Kind, after step: SyncMoment.Step) {
        self.fault = fault
        self.step = step
    }

    /// Every combination of a fault and a step, without repairs.
    static let all = SyncFault.Kind.allCases.filter { !$0.isRepair }.flatMap { fault in
        SyncMoment.Step.allCases.map { SyncPair(fault, after: $0) }
    }
}

extension SyncSchedule {
    /// Generates a schedule of at most forty events from a seed, the same on every machine.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - pairs: The pairs to target, not empty. The schedule targets one of them. Consecutive
    ///     seeds target them in order.
    init(seed: UInt64, aimingAt pairs: [SyncPair] = SyncPair.all) {
        var generator = ScheduleGenerator(seed: seed)
        let pair = pairs[Int(seed % UInt64(pairs.count))]
        self.init(
            seed: seed, settings: generator.settings(for: pair), events: generator.events(for: pair)
        )
    }
}

/// The generator of one schedule.
private struct ScheduleGenerator {
    private var random: SeededGenerator
    private var types: [ScheduledType] = [.bodyMass]
    private var next = 1
    /// The numbers of the samples that devices and imports create, in ascending order.
    private var saved: [Int] = []
    /// The numbers of the app's weights, in ascending order.
    private var logged: [Int] = []
    private var events: [SyncEvent] = []

    init(seed: UInt64) {
        random = SeededGenerator(devicesOf: seed)
    }

    mutating func settings(for pair: SyncPair) -> SyncSchedule.Settings {
        let others: [ScheduledType] = [.stepCount, .heartRate, .sleepAnalysis]
        if random.chance(0.4) { types.append(others[random.integer(0...2)]) }
        if random.chance(0.1) { types = ScheduledType.allCases }
        let isObserved = pair.step == .woken || pair.step == .completionCalled
        return SyncSchedule.Settings(
            types: types, pageSize: random.chance(0.1) ? 50 : random.integer(1...4),
            limit: random.chance(0.3) ? .samplesAndDeletions : .samples,
            attention: isObserved || random.chance(0.08) ? .observing : .onDemand)
    }

    mutating func events(for pair: SyncPair) -> [SyncEvent] {
        let before = random.integer(0...random.integer(1...14))
        for _ in 0..<before { addAnything() }
        aim(at: pair)
        let after = random.integer(0...random.integer(1...10))
        for _ in 0..<after { addAnything() }
        return Array(events.prefix(40))
    }

    // MARK: The targeted pair

    private mutating func aim(at pair: SyncPair) {
        prepare(pair.fault)
        let isWriting = SyncMoment.Step.ofWriting.contains(pair.step)
        if isWriting { repair() }
        if pair.step == .anchorTaken { happen(SyncFault(.anchorLost)) }
        let reachesOften = [.pageRead, .positionStored, .rowsWritten, .transactionCommitted]
            .contains(pair.step)
        let occurrence = isWriting || !reachesOften ? 1 : random.integer(1...random.integer(1...5))
        var fault = fault(pair.fault)
        if isWriting {
            logWeights(pair, &fault, occurrence)
            return
        }
        addUnread()
        events.append(.injected(fault, at: SyncMoment(pair.step, occurrence: occurrence)))
        switch pair.step {
        case .windowRead, .windowCompared, .windowCommitted: act(.reconcile)
        case .woken, .completionCalled:
            happen(.save)
            happen(.deletion)
        default: act(.sync)
        }
    }

    private mutating func logWeights(_ pair: SyncPair, _ fault: inout SyncFault, _ count: Int) {
        if random.chance(0.3) {
            act(.log)
            if random.chance(0.5) { act(.sync) }
        }
        if pair.step == .sampleDeleted {
            act(.log)
            events.append(.injected(fault, at: SyncMoment(pair.step, occurrence: count)))
            events.append(.app(AppAction(.remove, number: logged[logged.count - 1])))
            if random.chance(0.5) { act(random.chance(0.5) ? .recover : .relaunch) }
            return
        }
        // Often the fault affects the sample that is being written.
        let number = next
        let isEdit = !logged.isEmpty && random.chance(0.4)
        if [.deletion, .duplicateUUID, .edit].contains(pair.fault), random.chance(0.7) {
            fault.number = isEdit ? logged[logged.count - 1] : number
        }
        events.append(.injected(fault, at: SyncMoment(pair.step, occurrence: count)))
        if isEdit {
            events.append(.app(AppAction(.edit, number: logged[logged.count - 1])))
        } else {
            act(.log)
        }
        if random.chance(0.5) { act(random.chance(0.5) ? .recover : .relaunch) }
    }

    private mutating func prepare(_ kind: SyncFault.Kind) {
        switch kind {
        case .edit, .deletion, .duplicateUUID, .equalVersion, .lowerVersion: happen(.save)
        case .importUndone: happen(.imported)
        case .tombstonesPurged, .tombstonesPurgedEarly:
            happen(.save)
            act(.sync)
            happen(.deletion)
        case .anchorLost, .anchorForeign: act(.sync)
        default: break
        }
    }

    private mutating func repair() {
        for kind in [SyncFault.Kind.unlock, .diskFreed, .shareGranted, .readGranted] {
            happen(kind)
        }
    }

    private mutating func addUnread() {
        for _ in 0..<random.integer(1...3) { happen(random.chance(0.7) ? .save : .lateBatch) }
        if random.chance(0.5) { happen(.deletion) }
    }

    // MARK: Random events

    private static let common: [SyncFault.Kind] = [
        .save, .save, .save, .save, .edit, .edit, .deletion, .deletion, .lateBatch,
        .duplicateUUID, .equalVersion, .lowerVersion,
    ]
    private static let rare: [SyncFault.Kind] = [
        .shareRevoked, .shareGranted, .readRevoked, .readGranted, .readGranted, .limitedHistory,
        .lock, .unlock, .unlock, .healthDiskFull, .diskFreed, .diskFreed, .mirrorDiskFull,
        .clockForward, .clockBack, .travel, .anchorLost, .anchorForeign, .tombstonesPurged,
        .tombstonesPurgedEarly, .imported, .imported, .importUndone, .observerStorm,
        .observerSilence, .taskCancelled, .processKilled, .emptyPhone,
    ]
    private static let actions: [AppAction.Kind] = [
        .sync, .sync, .sync, .log, .log, .edit, .remove, .attach, .attach, .recover, .reconcile,
        .relaunch, .untrack, .track,
    ]

    private mutating func addAnything() {
        let draw = random.unit()
        if draw < 0.4 {
            happen(Self.common[random.integer(0...(Self.common.count - 1))])
        } else if draw < 0.85 {
            act(Self.actions[random.integer(0...(Self.actions.count - 1))])
        } else {
            addRare()
        }
    }

    private mutating func addRare() {
        let fault = fault(Self.rare[random.integer(0...(Self.rare.count - 1))])
        let needsStep = [.taskCancelled, .processKilled].contains(fault.kind)
        if needsStep || random.chance(0.3) {
            let steps = SyncMoment.Step.allCases
            let step = steps[random.integer(0...(steps.count - 1))]
            events.append(
                .injected(fault, at: SyncMoment(step, occurrence: random.integer(1...3))))
        } else {
            happen(fault)
        }
    }

    // MARK: Events

    private mutating func happen(_ kind: SyncFault.Kind) { happen(fault(kind)) }

    private mutating func happen(_ fault: SyncFault) { events.append(.happens(fault)) }

    private mutating func fault(_ kind: SyncFault.Kind) -> SyncFault {
        let type = types[random.integer(0...(types.count - 1))]
        let writers: [ScheduledWriter] = [.phone, .watch, .other]
        var fault = SyncFault(kind, of: type, by: writers[random.integer(0...2)])
        switch kind {
        case .save, .lateBatch, .imported, .observerStorm:
            fault.number = next
            fault.count = random.integer(1...random.integer(1...6))
            saved += next..<(next + fault.count)
            next += fault.count
        case .deletion: fault.number = random.chance(0.3) ? anyLogged() : anySaved()
        case .edit, .duplicateUUID, .equalVersion, .lowerVersion: fault.number = anySaved()
        case .shareRevoked, .shareGranted: fault.type = .bodyMass
        default: break
        }
        return fault
    }

    private mutating func act(_ kind: AppAction.Kind) {
        var action = AppAction(kind, of: types[random.integer(0...(types.count - 1))])
        switch kind {
        case .log:
            action.number = next
            logged.append(next)
            next += 1
        case .edit, .remove:
            if logged.isEmpty { return }
            action.number = anyLogged()
        case .attach: action.number = random.chance(0.5) ? anyLogged() : anySaved()
        default: break
        }
        events.append(.app(action))
    }

    /// Returns the number of a sample that a device or an import created before, most often one of
    /// the newest three; 1 if there is none.
    private mutating func anySaved() -> Int { recent(saved) ?? 1 }
    private mutating func anyLogged() -> Int { recent(logged) ?? anySaved() }

    private mutating func recent(_ numbers: [Int]) -> Int? {
        guard !numbers.isEmpty else { return nil }
        let reach = random.chance(0.6) ? min(3, numbers.count) : numbers.count
        return numbers[numbers.count - random.integer(1...reach)]
    }
}

extension SyncMoment.Step {
    /// The steps of saving or removing a weight through HealthKit and in the app's file.
    static let ofWriting: Set<SyncMoment.Step> = [
        .writeJournalled, .sampleSaved, .sampleReadBack, .sampleDeleted, .entryAcknowledged,
    ]
}
