import Foundation
import HealthStorage
import Synchronization

/// Takes what devices send into one store. The devices are in the directory beside it.
///
/// Requests are stored one after the other, on one thread, in pages that are atomic with their part
/// of the receipt.
final class StoreDestination: IntakeDestination {
    let bodyPath: String
    let bodyReading = BodyReading.ahead
    private let directory: AccessDirectory
    private let connection: WritingStore
    /// For reading the directory.
    private let checking = BlockingWork("devices", .concurrent)
    private let settling = BlockingWork("intake", .serial)
    private let busyPeriod: Double
    /// Until when the store counts as busy, in reference seconds.
    private let busyEnd = Mutex(-Double.infinity)

    /// Opens the directory of devices beside a store, or creates it.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - busyPeriod: The time during which requests are refused at once after one found the store
    ///     busy, in seconds.
    /// - Throws: `StoreError` if the directory can't be opened.
    init(storeAt path: String, busyPeriod: Double) throws {
        bodyPath = path
        self.busyPeriod = busyPeriod
        directory = try AccessDirectory.open(besideStore: path)
        connection = WritingStore(at: path)
    }

    // MARK: - Devices

    func device(forTokens tokens: [String]) async throws -> SendingDevice? {
        try await checking.run { [directory] in
            for token in tokens {
                if let device = try directory.device(forToken: token) {
                    return SendingDevice(device: device)
                }
            }
            return nil
        }
    }

    func knows(_ tokens: [String]) async throws -> Bool {
        try await checking.run { [directory] in
            try tokens.contains { token in
                try directory.device(forToken: token) != nil
                    || directory.readToken(forText: token) != nil
            }
        }
    }

    func note(_ contact: ReceivingDevice.Contact, of sender: SendingDevice) async {
        _ = try? await checking.run { [directory] in try directory.note(contact, of: sender.name) }
    }

    // MARK: - Requests

    func settled(
        _ delivery: Receiver.Delivery, _ ahead: ReadAhead?
    ) async throws -> SettledDelivery {
        try await settling.run { [self] in
            let now = Date.now.timeIntervalSinceReferenceDate
            guard busyEnd.withLock({ $0 }) <= now else { throw IntakeRefusal.busy }
            do {
                return try settle(delivery, ahead)
            } catch let error as StoreError where error.code == .busy {
                let end = Date.now.timeIntervalSinceReferenceDate + busyPeriod
                busyEnd.withLock { $0 = end }
                throw error
            }
        }
    }

    private func settle(_ delivery: Receiver.Delivery, _ ahead: ReadAhead?) throws
        -> SettledDelivery
    {
        let outcome = try DeliverySettling(delivery, ahead).settle(into: connection.store()) {
            store, receipt in
            try store.durably { try store.finishIntake(receipt) }
        }
        if let contact = outcome.contact {
            // The data is stored, and a list of devices is no reason to fail.
            try? directory.note(contact, of: delivery.device.name)
        }
        return outcome.settled
    }

    func contents(for sender: SendingDevice) async throws -> [TypeSummary] {
        try await settling.run { [connection] in try connection.store().contents().types }
    }
}
