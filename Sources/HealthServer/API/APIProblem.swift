package import HealthCalendar
package import HealthStorage

/// An error of the read API, sent as problem details (RFC 9457). It contains no health value.
package struct APIProblem: Error, Hashable, Sendable {
    /// The kind of a problem. Programs can rely on the raw values.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The address or a query item is invalid.
        case request = "invalid-request"
        /// The token is missing or not valid.
        case token = "invalid-token"
        /// The token doesn't permit the type or this resource.
        case permission = "not-permitted"
        /// There is no resource at the address.
        case address = "unknown-address"
        /// The store has no type with the name.
        case type = "unknown-type"
        /// The resource can only be read.
        case method = "method"
        /// The cursor is from another store, or from a token with other permissions. Begin again
        /// without a cursor.
        case cursor = "cursor"
        /// The store can't be read now. Try again later.
        case unavailable = "unavailable"
        /// Any other error.
        case failed = "failed"
    }

    /// The kind.
    package var kind: Kind
    /// The HTTP status code.
    package var status: Int
    /// A short summary, the same for all problems of the kind.
    package var title: String
    /// What happened and what to do.
    package var detail: String

    private init(_ kind: Kind, _ status: Int, _ title: String, _ detail: String) {
        self.kind = kind
        self.status = status
        self.title = title
        self.detail = detail
    }

    package static func request(_ detail: String) -> APIProblem {
        APIProblem(.request, 400, "Invalid request", detail)
    }

    package static func notPermitted(_ detail: String) -> APIProblem {
        APIProblem(.permission, 403, "Not permitted", detail)
    }

    package static func unknownType(_ detail: String) -> APIProblem {
        APIProblem(.type, 404, "Unknown type", detail)
    }

    package static func unavailable(_ detail: String) -> APIProblem {
        APIProblem(.unavailable, 503, "Not available", detail)
    }

    static let noToken = APIProblem(
        .token, 401, "Not authorized",
        "Send a token as “Authorization: Bearer TOKEN”. To add one: openhealth tokens add NAME")
    static let invalidToken = APIProblem(
        .token, 401, "Not authorized", "The token is unknown, or it was removed.")
    /// The answer of a server of many people without a valid token, the same in each case.
    static let noAccess = APIProblem(
        .token, 401, "Not authorized",
        "The token is missing, unknown or revoked. Send it as “Authorization: Bearer TOKEN”.")
    static let notFound = APIProblem(
        .address, 404, "Not found", "There is no resource at this address. See /v1/openapi.json.")
    static let readOnly = APIProblem(
        .method, 405, "Method not allowed", "This resource can only be read, with GET or HEAD.")
    package static let foreignCursor = APIProblem(
        .cursor, 410, "Cursor not valid here",
        "The cursor is from another store, or from a token with other permissions. Begin again "
            + "without a cursor.")
    package static let malformedCursor = APIProblem.request(
        "This is not a cursor. Use the one of the last answer, unchanged.")
    static let failed = APIProblem(
        .failed, 500, "The request failed",
        "An error occurred. Your data was not changed. To check the store: openhealth check")

    private static let failedForPerson = APIProblem(
        .failed, 500, "The request failed",
        "An error occurred. Your data was not changed. If it fails again, tell the operator.")

    /// Returns the problem without commands for a person who can't run them.
    func shown(to audience: PageAudience) -> APIProblem {
        guard audience == .person else { return self }
        return switch self {
        case .failed: .failedForPerson
        case .noToken, .invalidToken: .noAccess
        default: self
        }
    }

    /// The problem details as JSON.
    package var json: String {
        JSONText.object([
            "type": .string("urn:openhealth:problem:" + kind.rawValue), "title": .string(title),
            "status": .integer(status), "detail": .string(detail),
        ]).text + "\n"
    }
}

extension APIProblem {
    /// Returns the problem of a store's error, or nil if it is not one that a client can solve.
    package init?(_ error: StoreError) {
        switch error.code {
        case .busy:
            self = .unavailable("Another process is writing to the store. Try again in a moment.")
        case .unknownType:
            self = .unknownType("\(error) For a list of types, read /v1/types.")
        // The error's text names sources of the store, which a token may not permit.
        case .unknownSource:
            self = .request("Unknown source. For a list of sources, read /v1/sources.")
        case .ambiguousSource:
            self = .request(
                "Several sources have this name. Use an identifier of the list at /v1/sources.")
        case .invalidArgument: self = .request("\(error)")
        default: return nil
        }
    }

    package init(_ error: CalendarError) { self = .request(error.description) }
}

#if Server
    extension APIProblem {
        /// Returns a rejection of a page as a problem, for requests to the API that are rejected
        /// before they reach it.
        init(_ rejection: RequestRejection) {
            let notice = rejection.notice
            let kind: Kind =
                switch notice.status {
                case 401: .token
                case 403: .permission
                case 404: .address
                case 405: .method
                case 503: .unavailable
                case 400..<500: .request
                default: .failed
                }
            self.init(kind, notice.status, notice.title, notice.sentence)
        }
    }
#endif
