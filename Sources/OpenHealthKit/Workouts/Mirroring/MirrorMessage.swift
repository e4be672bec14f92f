import Foundation
import HealthEngine

/// A message between a primary session and its mirror, as a binary property list.
enum MirrorMessage: Codable, Sendable {
    // From the primary session.

    /// The first message: who mirrors which session.
    case begin(app: String, process: String, WorkoutSessionSnapshot)
    /// The state changed; with the pause or resumption that caused it.
    case changed(from: Int, date: Double, event: WorkoutEvent?, WorkoutSessionSnapshot)
    case generated(WorkoutEvent)
    case beganActivity(WorkoutActivity, WorkoutSessionSnapshot)
    case endedActivity(WorkoutActivity, date: Double, WorkoutSessionSnapshot)
    /// A request of the mirror was refused, or the session failed.
    case failed(code: Int, reason: String)
    /// The primary session's app has stopped mirroring.
    case stopped

    // From the mirror.

    /// The answer to `begin`: an app shows the mirror.
    case accepted
    case request(MirrorRequest)

    // From both.

    case data(number: Int, Data)
    /// Data have arrived at the other process.
    case received(number: Int)

    /// The longest message that is accepted, in bytes.
    static let maximumLength = 16_777_216

    /// The message with its length before it, as four bytes in big-endian order; nil if it is too
    /// long.
    var frame: Data? {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        guard let content = try? encoder.encode(self), content.count <= Self.maximumLength else {
            return nil
        }
        let length = UInt32(content.count)
        return Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }) + content
    }

    /// Removes a complete message from the beginning of a buffer.
    ///
    /// - Returns: Nil if the buffer contains no complete message.
    /// - Throws: An error for bytes that are no message.
    static func next(in buffer: inout Data) throws -> MirrorMessage? {
        guard buffer.count >= 4 else { return nil }
        let length = buffer.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard length <= maximumLength else {
            throw HKError(.errorInvalidArgument, "A message of a workout session is too long")
        }
        guard buffer.count >= 4 + length else { return nil }
        let content = Data(buffer.dropFirst(4).prefix(length))
        buffer = Data(buffer.dropFirst(4 + length))
        return try PropertyListDecoder().decode(MirrorMessage.self, from: content)
    }
}

/// A call of an app on a mirrored session, which the primary session carries out.
enum MirrorRequest: Codable, Sendable {
    case perform(WorkoutSessionStateMachine.Action, date: Double?)
    case beginActivity(WorkoutActivity)
    case endActivity(date: Double)
}
