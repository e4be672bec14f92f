import Foundation
import HealthIntake
import HealthStorage
import Synchronization

/// Receives what devices send, and passes it to a destination.
///
/// Bodies arrive at the same time, each in a temporary file. While one is being stored, the next
/// small body is read on another thread. A receipt is returned only after all its records are on
/// the disk.
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
        var device: SendingDevice
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

    let destination: any IntakeDestination
    let limits: Limits
    /// For writing bodies to files.
    let spooling = BlockingWork("bodies", .concurrent)
    private let reading = ReadingAhead()
    /// The number of requests that are received or wait to be stored.
    private let requests = Mutex(0)

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - destination: Where received data goes.
    ///   - limits: The limits on requests.
    init(destination: any IntakeDestination, limits: Limits = Limits()) {
        self.destination = destination
        self.limits = limits
    }

    /// Creates a receiver for one store, and opens the directory of devices beside it, or creates
    /// it.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - limits: The limits on requests.
    /// - Throws: `StoreError` if the directory can't be opened.
    package convenience init(storeAt path: String, limits: Limits = Limits()) throws {
        self.init(
            destination: try StoreDestination(storeAt: path, busyPeriod: limits.busyPeriod),
            limits: limits)
    }

    /// Records a request that was refused, for `openhealth devices`.
    func note(_ refusal: IntakeRefusal, of sender: SendingDevice, _ dialect: IntakeDialect) async {
        let contact = ReceivingDevice.Contact(
            dialect: dialect.rawValue,
            contactedAt: Date.now.timeIntervalSinceReferenceDate, status: refusal.status,
            outcome: ContactOutcome(problem: refusal.sentence))
        await destination.note(contact, of: sender)
    }

    /// Reserves a place for a request.
    ///
    /// - Throws: ``IntakeRefusal/queueFull``.
    func begin() throws(IntakeRefusal) {
        let isFull = requests.withLock { count in
            if count >= limits.requests { return true }
            count += 1
            return false
        }
        if isFull { throw .queueFull }
    }

    /// Frees the place of a request.
    func end() { requests.withLock { $0 -= 1 } }

    /// Stores a request.
    ///
    /// - Returns: Its receipt. All that it counts is on the disk. Also the sender's position.
    /// - Throws: The errors of ``IntakeDestination/settled(_:_:)``.
    func receipt(for delivery: Delivery) async throws -> SettledDelivery {
        guard destination.bodyReading == .ahead else {
            return try await destination.settled(delivery, nil)
        }
        let ahead = try await reading.begin(delivery)
        defer { reading.end() }
        return try await destination.settled(delivery, ahead)
    }
}
