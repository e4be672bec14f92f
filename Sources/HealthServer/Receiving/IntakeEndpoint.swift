import HealthIntake

/// An address to which devices post data, with the format of its bodies.
struct IntakeEndpoint: Sendable {
    /// The path as the router matches it. “:name” stands for one component of any text.
    var path: String
    var dialect: IntakeDialect

    private init(_ path: String, _ dialect: IntakeDialect) {
        self.path = path
        self.dialect = dialect
    }

    /// All addresses. A format of its own is a line here, a case of `IntakeDialect` and one of
    /// ``IntakeAnswer``.
    static let all = [
        // SDK 0.6 and later, and versions before it.
        IntakeEndpoint("/api/v1/sdk/users/:user/sync", .openWearables),
        IntakeEndpoint("/api/v1/sdk/users/:user/sync/apple", .openWearables),
        IntakeEndpoint("/v1/intake/health-auto-export", .healthAutoExport),
        // For apps that can't send a header.
        IntakeEndpoint("/v1/intake/health-auto-export/:token", .healthAutoExport),
        IntakeEndpoint("/v1/intake/open-health-exporter", .openHealthExporter),
        // Versions 2 and 1 of the batches.
        IntakeEndpoint("/api/v2/apple/batch", .healthSave),
        IntakeEndpoint("/api/apple/batch", .healthSave),
        IntakeEndpoint("/v1/changes", .changes),
    ]
}

extension IntakeDialect {
    /// Whether senders give each body a key of its own and resend it with the same key. Others can
    /// have headers with fixed texts that a person typed in.
    var hasIdempotencyKeys: Bool {
        switch self {
        case .openHealthExporter, .healthSave: true
        case .openWearables, .healthAutoExport, .changes: false
        }
    }

    /// The HTTP status of a stored request.
    var storedStatus: Int { self == .openWearables ? 202 : 200 }
}
