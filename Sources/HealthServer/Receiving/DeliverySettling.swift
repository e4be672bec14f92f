import HealthEngine
import HealthIntake
import HealthStorage

/// Writes one request to a store: compares the cursor, finds or creates the receipt, reads the body
/// page by page, and completes the receipt.
///
/// It blocks, so it runs on a thread outside the cooperative pool.
struct DeliverySettling {
    /// What became of a request.
    struct Outcome {
        var settled: SettledDelivery
        /// What is recorded of the request; nil for one that only compared its sender's cursor.
        var contact: ReceivingDevice.Contact?
    }

    private let delivery: Receiver.Delivery
    private let ahead: ReadAhead?

    /// - Parameters:
    ///   - delivery: The request.
    ///   - ahead: The pages of its body; nil to read it page by page.
    init(_ delivery: Receiver.Delivery, _ ahead: ReadAhead?) {
        self.delivery = delivery
        self.ahead = ahead
    }

    /// Stores the request.
    ///
    /// - Parameters:
    ///   - store: The store to write to.
    ///   - finish: Completes the receipt after the last page, with `finishIntake(_:)` of the store.
    ///     If the receipt is acknowledged when this function returns, it must also flush the store
    ///     to the disk.
    /// - Returns: The receipt, the sender's position, and what to record.
    /// - Throws: ``IntakeRefusal``, `IntakeError`, `IntakeCursorMismatch` or `StoreError`.
    func settle(
        into store: SampleStore,
        finishing finish: (SampleStore, IntakeReceipt) throws -> IntakeReceipt
    ) throws -> Outcome {
        if let cursor = try comparedCursor(store) {
            return Outcome(
                settled: SettledDelivery(receipt: IntakeReceipt(number: 0), cursor: cursor))
        }
        let facts = IntakeDelivery(
            device: delivery.device.name, dialect: delivery.dialect.rawValue,
            idempotencyKey: delivery.idempotencyKey, bodyDigest: delivery.bodyDigest,
            receivedAt: delivery.receivedAt)
        switch try store.beginIntake(facts) {
        case .keyReused: throw IntakeRefusal.keyReused
        case .stored(let receipt):
            return outcome(SettledDelivery(receipt: receipt), lastSampleEnd: nil)
        case .pending(let receipt):
            var (settled, end) = try read(facts, from: receipt, into: store)
            settled.receipt = try finish(store, settled.receipt)
            return outcome(settled, lastSampleEnd: end)
        }
    }

    /// Answers a page that only asks whether the store has its sender's cursor. Nothing is stored.
    ///
    /// - Returns: The cursor; nil for other requests.
    /// - Throws: ``IntakeRefusal/cursor(_:)`` if the store has another one; `IntakeError`.
    private func comparedCursor(_ store: SampleStore) throws -> String? {
        guard delivery.dialect == .changes else { return nil }
        let request = delivery.request
        let cursor = try request.changesHeader().cursor
        guard cursor.from == cursor.to else { return nil }
        try request.requireNoRecords()
        let stored = try store.intakeCursor(
            device: delivery.device.name, dialect: delivery.dialect.rawValue,
            stream: cursor.stream)
        guard stored == cursor.to else { throw IntakeRefusal.cursor(stored) }
        return stored
    }

    /// Reads the body into the store, from the record on that a receipt ends with.
    private func read(
        _ facts: IntakeDelivery, from receipt: IntakeReceipt, into store: SampleStore
    ) throws -> (SettledDelivery, lastSampleEnd: Double?) {
        var settled = SettledDelivery(receipt: receipt)
        var end = -Double.infinity
        do {
            try pages(after: receipt.received) { page in
                settled.receipt = try store.take(page, of: facts, settled.receipt)
                settled.cursor = page.cursor?.to ?? settled.cursor
                for sample in page.samples.samples where sample.end.isFinite {
                    end = max(end, sample.end)
                }
            }
        } catch  where error is IntakeError || error is IntakeCursorMismatch {
            try store.discardIntake(settled.receipt)
            throw error
        }
        return (settled, end.isFinite ? end : nil)
    }

    /// Passes on the pages of the body that are not stored yet. What was read ahead begins with the
    /// first record.
    private func pages(
        after position: Int, _ body: @escaping (IntakeBatch) throws -> Void
    ) throws {
        if position == 0, let ahead {
            for page in ahead.pages { try body(page) }
            if let error = ahead.error { throw error }
            return
        }
        _ = try delivery.request.readPages(after: position, body)
    }

    private func outcome(_ settled: SettledDelivery, lastSampleEnd: Double?) -> Outcome {
        let counts = settled.receipt.counts.map { ($0.key.rawValue, $0.value) }
        let contact = ReceivingDevice.Contact(
            dialect: delivery.dialect.rawValue, contactedAt: delivery.receivedAt,
            status: delivery.dialect.storedStatus,
            outcome: ContactOutcome(
                receipt: settled.receipt.identifier,
                counts: Dictionary(uniqueKeysWithValues: counts)),
            lastSampleEnd: lastSampleEnd)
        return Outcome(settled: settled, contact: contact)
    }
}
