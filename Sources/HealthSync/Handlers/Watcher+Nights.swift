import Foundation

/// Tells a handler of touched nights once nothing more has come for a while.
actor NightSettling {
    private let ledger: NightLedger
    private let settling: Duration
    private let clock: any Clock<Duration>
    private let pauses: [Duration]
    private let tell: @Sendable ((any Error)?, PauseReason?) -> Void
    private let body: @Sendable ([Night]) async throws -> Void
    private let timer = TaskSlot()
    private let telling = TaskSlot()
    private var postponed = 0
    private var failures = 0
    private var isTelling = false
    private var isStuck: Bool { failures > pauses.count }

    /// So often a new touch puts the telling off.
    private static let mostPostponed = 10

    init(
        _ ledger: NightLedger, settling: Duration, clock: any Clock<Duration>,
        pauses: [Duration], tell: @escaping @Sendable ((any Error)?, PauseReason?) -> Void,
        _ body: @escaping @Sendable ([Night]) async throws -> Void
    ) {
        self.ledger = ledger
        self.settling = settling
        self.clock = clock
        self.pauses = pauses
        self.tell = tell
        self.body = body
    }

    /// Nights were touched: waits for more.
    func touch() {
        guard failures == 0, postponed < Self.mostPostponed else { return }
        postponed += 1
        wait(settling)
    }

    /// Tells at once what waits, whatever failed before.
    func settle() async throws {
        failures = 0
        try await tellNights()
    }

    /// Takes up what was left by an earlier run.
    func launch() {
        failures = 0
        touch()
    }

    func halt() {
        timer.set(nil)
        telling.set(nil)
    }

    private func wait(_ duration: Duration) {
        timer.set(
            Task { [weak self, clock] in
                do { try await clock.sleep(for: duration) } catch { return }
                await self?.begin()
            })
    }

    /// In a task of its own, which a touch meanwhile doesn't cancel.
    private func begin() {
        guard !isTelling else { return }
        telling.set(Task { [weak self] in try? await self?.tellNights() })
    }

    private func tellNights() async throws {
        guard !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        postponed = 0
        do {
            let due = try await ledger.due()
            guard !due.isEmpty else { return }
            let nights = Set(
                due.map {
                    Night(
                        containing: Date(timeIntervalSinceReferenceDate: $0.middle),
                        in: ledger.calendar)
                })
            try await body(nights.sorted())
            try await ledger.told(due)
            failures = 0
            tell(nil, nil)
            if try await !ledger.due().isEmpty { wait(settling) }
        } catch {
            failures += 1
            tell(error, isStuck ? .handlerStuck : .handlerFailed)
            if let pause = pauses.dropFirst(failures - 1).first { wait(pause) }
            throw error
        }
    }
}
