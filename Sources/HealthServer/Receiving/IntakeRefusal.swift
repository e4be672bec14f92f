import HealthIntake
import HealthStorage

/// Why a request with health data is refused. It contains no value, no token and no text of the
/// body.
///
/// Some apps drop data permanently after a status of 400 to 499, so everything that can pass is 503
/// with `Retry-After`, and 401 is only for a missing or wrong token.
struct IntakeRefusal: Error, Hashable, Sendable {
    /// The HTTP status.
    var status: Int
    /// A stable identifier of the reason.
    var reason: String
    /// What happened and what to do.
    var sentence: String
    /// The seconds after which to try again; nil if that is of no use.
    var retryAfter: Int?
    /// The sender's position that is stored, if the page doesn't follow it; nil for none.
    var cursor: String?

    private init(_ status: Int, _ reason: String, _ sentence: String, retryAfter: Int? = nil) {
        self.status = status
        self.reason = reason
        self.sentence = sentence
        self.retryAfter = retryAfter
    }

    static let badToken = IntakeRefusal(
        401, "token",
        "The token is missing, unknown or revoked. Add the device: openhealth devices add")
    /// ``badToken`` for a person who can't add a device.
    private static let badTokenOfPerson = IntakeRefusal(
        401, "token",
        "The token is missing, unknown or revoked. Ask the operator for one of this device.")

    /// Returns the refusal without commands for a person who can't run them.
    func shown(to audience: PageAudience) -> IntakeRefusal {
        self == .badToken && audience == .person ? .badTokenOfPerson : self
    }

    static let incomplete = IntakeRefusal(
        400, "incomplete", "The body ended before its stated length. Nothing was stored.")
    static let keyReused = IntakeRefusal(
        409, "idempotency_key_payload_mismatch",
        "The idempotency key was used before, with another body. Nothing was stored.")
    /// The refusal of a page that doesn't begin at the stored position of its sender.
    static func cursor(_ stored: String?) -> IntakeRefusal {
        var refusal = IntakeRefusal(
            409, "cursor", "The page doesn’t follow the last one that is stored: go on at “cursor”."
        )
        refusal.cursor = stored
        return refusal
    }

    static let tooLarge = IntakeRefusal(
        413, "too_large", "The body is too large, before or after decompression. Send it in parts.")
    static let contentType = IntakeRefusal(
        415, "content_type", "The body must be JSON in UTF-8: Content-Type: application/json.")
    static let contentEncoding = IntakeRefusal(
        415, "content_encoding", "The body may be plain or gzip, in no other encoding.")
    static let damagedGzip = IntakeRefusal(
        400, "gzip", "The body is not valid gzip data. Nothing was stored.")
    static let truncatedGzip = IntakeRefusal(
        400, "gzip", "The gzip data ends too early. Nothing was stored.")
    static let unknownAddress = IntakeRefusal(
        404, "not_found", "No app sends data to this address. Check the path in the app.")
    static let wrongMethod = IntakeRefusal(
        405, "method", "Send data to this address with POST.")
    static let queueFull = IntakeRefusal(
        503, "queue_full", "Too many requests are waiting. Try again.", retryAfter: 10)
    static let busy = IntakeRefusal(
        503, "busy", "The store is busy, for example with an import. Try again.", retryAfter: 30)
    static let notReceiving = IntakeRefusal(
        503, "not_receiving",
        "This server doesn’t receive data. Start it with: "
            + "openhealth serve --receive", retryAfter: 600)
    static let diskFull = IntakeRefusal(
        503, "disk_full", "The disk is full. Nothing was stored. Try again later.",
        retryAfter: 300)
    static let unavailable = IntakeRefusal(
        503, "unavailable", "The store can’t be written. Nothing was stored. Try again later.",
        retryAfter: 120)

    /// A refusal for a reason that can pass.
    static func temporary(_ reason: String, _ sentence: String, retryAfter: Int) -> IntakeRefusal {
        IntakeRefusal(503, reason, sentence, retryAfter: retryAfter)
    }

    /// The refusal for an error. Errors that aren't about the body are temporary.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as IntakeRefusal: error
            case let error as IntakeError: IntakeRefusal(error)
            case let error as IntakeCursorMismatch: .cursor(error.stored)
            case let error as StoreError where error.code == .busy: .busy
            case let error as StoreError where error.code == .full: .diskFull
            default: .unavailable
            }
    }

    private init(_ error: IntakeError) {
        let (status, reason): (Int, String) =
            switch error {
            case .notJSON: (400, "json")
            case .notUTF8: (400, "utf8")
            case .tooDeep, .recordTooLong: (413, "too_large")
            case .notThisDialect: (400, "format")
            case .unsupportedProvider: (400, "provider")
            case .digestMismatch: (400, "digest")
            case .incompleteBatch: (400, "incomplete")
            }
        self.init(status, reason, error.description)
    }
}
