import HealthStorage

/// Where received data goes: the devices that may send it, and the stores it is written to.
///
/// ``Receiver`` decides how requests arrive, a destination what becomes of them.
protocol IntakeDestination: Sendable {
    /// The path of a file beside which bodies are put while they arrive.
    var bodyPath: String { get }

    /// When bodies are read.
    var bodyReading: BodyReading { get }

    /// Returns the device with one of the tokens; nil if all are unknown or revoked.
    ///
    /// - Throws: `StoreError` if tokens can't be checked now.
    func device(forTokens tokens: [String]) async throws -> SendingDevice?

    /// Returns whether a token is one of a device or of a program that reads.
    ///
    /// - Throws: `StoreError` if tokens can't be checked now.
    func knows(_ tokens: [String]) async throws -> Bool

    /// Records a request of a device. Errors are ignored, since a list of devices is no reason to
    /// fail.
    func note(_ contact: ReceivingDevice.Contact, of sender: SendingDevice) async

    /// Stores a request.
    ///
    /// - Parameters:
    ///   - delivery: The request.
    ///   - ahead: The pages of its body; nil if it is read page by page.
    /// - Returns: Its receipt. All that it counts is on the disk. Also the sender's position.
    /// - Throws: ``IntakeRefusal``, `IntakeError` or `StoreError`, with nothing stored that isn't
    ///   found again when the request is sent again.
    func settled(_ delivery: Receiver.Delivery, _ ahead: ReadAhead?) async throws
        -> SettledDelivery

    /// Returns the number and time range of the samples of each type in a device's store.
    ///
    /// - Throws: `StoreError` if the store can't be read.
    func contents(for sender: SendingDevice) async throws -> [TypeSummary]
}

/// A device whose token was checked.
struct SendingDevice: Hashable, Sendable {
    /// The person that the device belongs to; nil on a server of one store.
    var person: String?
    /// The public identifier of the token; nil on a server of one store.
    var token: String?
    var device: ReceivingDevice
    /// The address that connected; nil if it isn't known.
    var origin: String?

    /// The device's name, with which its data is stored.
    var name: String { device.name }
}

/// What a store has done with a request.
struct SettledDelivery: Sendable {
    var receipt: IntakeReceipt
    /// The sender's position after the request; nil for formats without one.
    var cursor: String?
}

/// When the body of a request is read.
enum BodyReading: Sendable {
    /// While an earlier request is being stored, for one store.
    case ahead
    /// While it is stored: requests of several people are stored at the same time.
    case whenStored
}
