import Foundation
import HealthEngine
import HealthIntake
import HealthStorage
import Synchronization

/// What a store has done with a request.
struct SettledDelivery: Sendable {
    var receipt: IntakeReceipt
    /// The sender's position after the request; nil for formats without one.
    var cursor: String?
}

/// Takes what devices send into a store.
///
/// Bodies arrive at the same time, each in a temporary file. They are stored one after the other,
/// on one thread, in pages that are atomic with their part of the receipt. Meanwhile the next small
/// body is read on another thread. A receipt is returned
/// only after all its records are on the disk.
package final class Receiver: Sendable {
    /// Limits on what devices send.
    package struct Limits: Hashable, Sendable {
        var body = SpooledBody.Limits()
        /// The maximum number of requests that are received or wait to be stored. More are asked to
        /// try again later.
        package var requests = 256
        /// The maximum time for receiving a body.
        package var bodyTimeout = Duration.seconds(600)
        /// The time during which requests are refused at once after one found the store busy. Each
        /// waits several seconds, so that a long queue would never end.
        package var busyPeriod = 5.0

        /// Creates the default limits.
        package init() {}
    }

    /// A request whose body was received.
    struct Delivery: Sendable {
        var device: String
        var dialect: IntakeDialect
        var idempotencyKey: String?
        var headers: IntakeHeaders
        var body: SpooledBody
        var bodyDigest: [UInt8]
        /// In reference seconds.
        var receivedAt: Double

        var request: IntakeRequest {
            IntakeRequest(dialect, body.content, headers: headers, receivedAt: receivedAt)
        }
    }

    private struct State {
        var requests = 0
        /// Until when the store counts as busy, in reference seconds.
        var busyUntil = -Double.infinity
    }

    let path: String
    let limits: Limits
    /// For writing bodies to files and for reading the directory.
    let spooling = BlockingWork("bodies", .concurrent)
    private let directory: AccessDirectory
    private let reading = ReadingAhead()
    private let settling = BlockingWork("intake", .serial)
    private let connection: WritingStore
    private let state = Mutex(State())

    /// Opens the directory of devices beside a store, or creates it.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - limits: The limits on requests.
    /// - Throws: `StoreError` if the directory can't be opened.
    package init(storeAt path: String, limits: Limits = Limits()) throws {
        self.path = path
        self.limits = limits
        directory = try AccessDirectory.open(besideStore: path)
        connection = WritingStore(at: path)
    }

    // MARK: - Devices

    /// Returns the device with one of the tokens; nil if all are unknown or revoked.
    func device(forTokens tokens: [String]) async throws -> ReceivingDevice? {
        try await spooling.run { [directory] in
            for token in tokens {
                if let device = try directory.device(forToken: token) { return device }
            }
            return nil
        }
    }

    /// Returns whether a token is one of a device or of a program that reads.
    func knows(_ tokens: [String]) async throws -> Bool {
        try await spooling.run { [directory] in
            try tokens.contains { token in
                try directory.device(forToken: token) != nil
                    || directory.readToken(forText: token) != nil
            }
        }
    }

    /// Records a request that was refused, for `openhealth devices`.
    func note(_ refusal: IntakeRefusal, of device: String, _ dialect: IntakeDialect) async {
        let contact = ReceivingDevice.Contact(
            dialect: dialect.rawValue,
            contactedAt: Date.now.timeIntervalSinceReferenceDate, status: refusal.status,
            outcome: ContactOutcome(problem: refusal.sentence))
        // A list of devices is no reason to fail.
        _ = try? await spooling.run { [directory] in try directory.note(contact, of: device) }
    }

    // MARK: - Requests

    /// Reserves a place for a request.
    ///
    /// - Throws: ``IntakeRefusal/queueFull``.
    func begin() throws(IntakeRefusal) {
        let isFull = state.withLock { state in
            if state.requests >= limits.requests { return true }
            state.requests += 1
            return false
        }
        if isFull { throw .queueFull }
    }

    /// Frees the place of a request.
    func end() { state.withLock { $0.requests -= 1 } }

    /// Stores a request.
    ///
    /// - Returns: Its receipt. All that it counts is on the disk. Also the sender's position.
    /// - Throws: ``IntakeRefusal``, with nothing stored that isn't found again when the request is
    ///   sent again.
    func receipt(for delivery: Delivery) async throws -> SettledDelivery {
        let ahead = try await reading.begin(delivery)
        defer { reading.end() }
        return try await settling.run { [self] in
            let now = Date.now.timeIntervalSinceReferenceDate
            guard state.withLock({ $0.busyUntil }) <= now else { throw IntakeRefusal.busy }
            do {
                return try settle(delivery, ahead)
            } catch let error as StoreError where error.code == .busy {
                let end = Date.now.timeIntervalSinceReferenceDate + limits.busyPeriod
                state.withLock { $0.busyUntil = end }
                throw error
            }
        }
    }

    private func settle(_ delivery: Delivery, _ ahead: ReadAhead?) throws -> SettledDelivery {
        let store = try connection.store()
        if let cursor = try comparedCursor(delivery, store) {
            return SettledDelivery(receipt: IntakeReceipt(number: 0), cursor: cursor)
        }
        let facts = IntakeDelivery(
            device: delivery.device, dialect: delivery.dialect.rawValue,
            idempotencyKey: delivery.idempotencyKey, bodyDigest: delivery.bodyDigest,
            receivedAt: delivery.receivedAt)
        switch try store.beginIntake(facts) {
        case .keyReused: throw IntakeRefusal.keyReused
        case .stored(let receipt):
            note(receipt, of: delivery, lastSampleEnd: nil)
            return SettledDelivery(receipt: receipt)
        case .pending(let receipt):
            var (settled, end) = try read(delivery, ahead, facts, from: receipt, into: store)
            settled.receipt = try store.durably { try store.finishIntake(settled.receipt) }
            note(settled.receipt, of: delivery, lastSampleEnd: end)
            return settled
        }
    }

    /// Answers a page that only asks whether the store has its sender's cursor. Nothing is stored.
    ///
    /// - Returns: The cursor; nil for other requests.
    /// - Throws: ``IntakeRefusal/cursor(_:)`` if the store has another one; `IntakeError`.
    private func comparedCursor(_ delivery: Delivery, _ store: SampleStore) throws -> String? {
        guard delivery.dialect == .changes else { return nil }
        let request = delivery.request
        let cursor = try request.changesHeader().cursor
        guard cursor.from == cursor.to else { return nil }
        try request.requireNoRecords()
        let stored = try store.intakeCursor(
            device: delivery.device, dialect: delivery.dialect.rawValue, stream: cursor.stream)
        guard stored == cursor.to else { throw IntakeRefusal.cursor(stored) }
        return stored
    }

    /// Reads a body into the store, from the record on that a receipt ends with.
    private func read(
        _ delivery: Delivery, _ ahead: ReadAhead?, _ facts: IntakeDelivery,
        from receipt: IntakeReceipt, into store: SampleStore
    ) throws -> (SettledDelivery, lastSampleEnd: Double?) {
        var settled = SettledDelivery(receipt: receipt)
        var end = -Double.infinity
        do {
            try pages(of: delivery, ahead, after: receipt.received) { page in
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

    /// Passes on the pages of a body that are not stored yet. What was read ahead begins with the
    /// first record.
    private func pages(
        of delivery: Delivery, _ ahead: ReadAhead?, after position: Int,
        _ body: @escaping (IntakeBatch) throws -> Void
    ) throws {
        if position == 0, let ahead {
            for page in ahead.pages { try body(page) }
            if let error = ahead.error { throw error }
            return
        }
        _ = try delivery.request.readPages(after: position, body)
    }

    private func note(
        _ receipt: IntakeReceipt, of delivery: Delivery, lastSampleEnd: Double?
    ) {
        let counts = receipt.counts.map { ($0.key.rawValue, $0.value) }
        let contact = ReceivingDevice.Contact(
            dialect: delivery.dialect.rawValue, contactedAt: delivery.receivedAt,
            status: delivery.dialect.storedStatus,
            outcome: ContactOutcome(
                receipt: receipt.identifier, counts: Dictionary(uniqueKeysWithValues: counts)),
            lastSampleEnd: lastSampleEnd)
        // The data is stored, and a list of devices is no reason to fail.
        try? directory.note(contact, of: delivery.device)
    }

    // MARK: - Contents

    /// Returns the number and time range of the samples of each type.
    func contents() async throws -> [TypeSummary] {
        try await settling.run { [connection] in try connection.store().contents().types }
    }
}
