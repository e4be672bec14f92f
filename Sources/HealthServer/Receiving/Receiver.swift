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
        /// The maximum number of these of one person, on a server of many people.
        var requestsPerPerson = 8
        /// The time during which requests are refused at once after one found the store busy. Each
        /// waits several seconds, so that a long queue would never end.
        package var busyPeriod = 5.0

        /// Creates the default limits.
        package init() {}

        /// Limits for a server of many people. A request is one entry of a log, which is in memory
        /// several times while it is written.
        package static let people: Limits = {
            var limits = Limits()
            limits.body.encodedBytes = 32 << 20
            limits.body.decodedBytes = 64 << 20
            return limits
        }()
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
    /// The number of requests that are received or wait to be stored, of all and of each person.
    private let requests = Mutex((all: 0, people: [String: Int]()))

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

    /// Reserves a place for a request. On a server of many people, none of them can have more than
    /// ``Limits/requestsPerPerson``.
    ///
    /// - Throws: ``IntakeRefusal/queueFull``.
    func begin(_ sender: SendingDevice) throws(IntakeRefusal) {
        let isFull = requests.withLock { requests in
            let own = sender.person.map { requests.people[$0, default: 0] } ?? 0
            if requests.all >= limits.requests || own >= limits.requestsPerPerson { return true }
            requests.all += 1
            if let person = sender.person { requests.people[person] = own + 1 }
            return false
        }
        if isFull { throw .queueFull }
    }

    /// Frees the place of a request.
    func end(_ sender: SendingDevice) {
        requests.withLock { requests in
            requests.all -= 1
            guard let person = sender.person else { return }
            let own = requests.people[person, default: 0] - 1
            requests.people[person] = own > 0 ? own : nil
        }
    }

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
