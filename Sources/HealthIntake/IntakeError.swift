/// Why a request's body, or its rest, cannot be read. It contains no value of the body.
package enum IntakeError: Error, Hashable, Sendable {
    /// The body is not valid JSON, or ends too early.
    case notJSON(offset: Int)
    /// The body's text is not UTF-8.
    case notUTF8(offset: Int)
    /// Arrays and objects are nested more deeply than ``JSONReader/maximumDepth``.
    case tooDeep(offset: Int)
    /// One record is longer than ``JSONReader/maximumValueBytes``.
    case recordTooLong(offset: Int)
    /// The body is JSON, but has none of the dialect's fields.
    case notThisDialect(expected: String)
    /// The sender's platform is another one, for example "google".
    case unsupportedProvider
    /// The digest that the body states differs from that of its bytes.
    case digestMismatch
    /// A batch has no end, or fewer records than it states.
    case incompleteBatch
}

extension IntakeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notJSON(let offset): "The body isn't JSON at byte \(offset)."
        case .notUTF8(let offset): "The body isn't UTF-8 at byte \(offset)."
        case .tooDeep(let offset):
            "Arrays and objects are nested more than \(JSONReader.maximumDepth) deep at byte "
                + "\(offset)."
        case .recordTooLong(let offset):
            "The record at byte \(offset) has more than \(JSONReader.maximumValueBytes >> 20) MB."
        case .notThisDialect(let expected): "The body has no \(expected)."
        case .unsupportedProvider: "Only data of Apple's HealthKit can be received."
        case .digestMismatch: "The body's digest doesn't match its bytes."
        case .incompleteBatch: "The batch has no footer, or fewer records than its header states."
        }
    }
}
