package import HealthEngine

/// One page of what a phone sent: samples with their identities, deletions, Apple's own totals, and
/// the records that could not be read.
///
/// A dialect of `HealthIntake` turns a request's body into pages. A store takes each page in one
/// transaction, together with its part of the receipt (Semantics §15).
package struct IntakeBatch: Sendable {
    /// The samples, with the tables they refer to. Every origin has a source.
    package var samples = SampleBatch()
    /// The identity of each sample, by its index in `samples`.
    package var identities: [IntakeIdentity] = []
    /// The place of each sample in the request's body, by its index in `samples`.
    package var indices: [Int] = []
    /// Deletions that the phone reported.
    package var deletions: [IntakeDeletion] = []
    /// Totals that Apple's framework computed. They are never samples.
    package var totals: [ExternalTotal] = []
    /// Locations of workouts that are not in the request.
    package var routes: [LateRoute] = []
    /// The medications that doses refer to, or that the phone states by themselves.
    package var medications: [Medication] = []
    /// Records of a kind, type or shape that the dialect doesn't know, kept as they were sent.
    package var unknown: [UnknownRecord] = []
    /// Records that are invalid.
    package var rejections: [IntakeRejection] = []

    /// The sender's position before and after the page; nil for formats without one.
    package var cursor: IntakeCursor?
    /// The sender's time zone, as an IANA identifier; nil if it isn't stated.
    package var timeZone: String?
    /// The types that the sender has sent completely with this page.
    package var completions: [IntakeCompletion] = []

    /// Creates an empty page.
    package init() {}

    /// The number of records of the body that the page contains. A record can have several
    /// samples, such as a blood pressure, but counts once.
    package var recordCount = 0
    /// The place of the first of them in the body.
    package var firstRecord = 0
}

/// A sender's position in its own stream of changes. It is stored in the page's transaction, so the
/// sender learns from any later answer what has arrived.
package struct IntakeCursor: Hashable, Sendable {
    /// The identifier of the sender's store. A new phone has a new one.
    package var stream: String
    /// The position before the page; nil for the first page of the stream.
    package var from: String?
    /// The position after the page.
    package var to: String

    package init(stream: String, from: String?, to: String) {
        self.stream = stream
        self.from = from
        self.to = to
    }
}

/// How a received sample is recognized when it arrives again (Semantics §15.1).
package enum IntakeIdentity: Hashable, Sendable {
    /// HealthKit's UUID of the sample. Equal UUIDs are the same sample, whatever route they take.
    case healthKit(SampleUUID)
    /// The route has no UUIDs. Type, source, start, end and value identify the sample.
    case content
    /// As ``content``, and the route doesn't state an end, so start and end are equal. A sample of
    /// another route with a UUID or an end replaces it (Semantics §15.8).
    case point
    /// The route has no stable identifier of workouts. Activity, start and end within two seconds
    /// identify it (Semantics §15.9).
    case workout
}

/// A deletion that a phone reported.
package struct IntakeDeletion: Hashable, Sendable {
    /// Why a sample is no longer there.
    package enum Reason: String, Hashable, Sendable {
        /// HealthKit reported the deletion. It is final.
        case deleted
        /// The phone's app may no longer read the type.
        case authorizationRevoked
        /// A reconciliation of the sender did not find the sample.
        case notFound
        /// The sender no longer has the sample, and HealthKit has not reported its deletion. It is
        /// removed here too, and can come back.
        case withdrawn
    }

    /// HealthKit's UUID of the sample.
    package var uuid: SampleUUID
    /// The reason.
    package var reason: Reason
    /// The record's place in the body.
    package var index: Int

    package init(uuid: SampleUUID, reason: Reason, index: Int) {
        self.uuid = uuid
        self.reason = reason
        self.index = index
    }
}

/// A total or an average that Apple's framework computed on the phone, over all sources or one.
///
/// The key is all but value, unit and state: a later total with the same key replaces the earlier
/// one (Semantics §15.7).
package struct ExternalTotal: Hashable, Sendable {
    /// How the value was computed from the samples of the interval.
    package enum Statistic: String, Hashable, Sendable, CaseIterable {
        case sum, average, minimum, maximum, count, duration, latest
    }

    /// The catalogue's code of the type.
    package var type: Int32
    package var statistic: Statistic
    /// The start of the interval, in reference seconds.
    package var start: Double
    /// The end of the interval (exclusive), in reference seconds.
    package var end: Double
    /// The value, in `unit`.
    package var value: Double
    /// HealthKit's symbol of the unit.
    package var unit: String
    /// The name of the only source that the total counts; empty for all.
    package var source: String
    /// The sender's name of the series that the total belongs to, such as an automation; empty if
    /// there is one series only.
    package var series: String
    /// A number that grows with each revision of the total; 0 if the sender has none.
    package var revision: Int64
    /// The record's place in the body.
    package var index: Int

    package init(
        type: Int32, statistic: Statistic, start: Double, end: Double, value: Double, unit: String,
        source: String = "", series: String = "", revision: Int64 = 0, index: Int
    ) {
        self.type = type
        self.statistic = statistic
        self.start = start
        self.end = end
        self.value = value
        self.unit = unit
        self.source = source
        self.series = series
        self.revision = revision
        self.index = index
    }
}

/// A record that a dialect doesn't understand. It is stored as it was sent, and counted by name.
package struct UnknownRecord: Hashable, Sendable {
    /// What is not known: the name of a metric, a kind or a type. Never a value.
    package var name: String
    /// The record as JSON.
    package var json: String
    /// The record's place in the body.
    package var index: Int

    package init(name: String, json: String, index: Int) {
        self.name = name
        self.json = json
        self.index = index
    }
}

/// Locations of a workout's route that arrive in another request than the workout.
package struct LateRoute: Sendable {
    /// HealthKit's UUID of the workout.
    package var workout: SampleUUID
    /// The locations.
    package var points: [RoutePoint]
    /// The record's place in the body.
    package var index = 0
    /// The record, to keep it if the workout isn't stored.
    package var json = ""

    package init(workout: SampleUUID, points: [RoutePoint]) {
        self.workout = workout
        self.points = points
    }
}

/// A record that is not stored as a sample because it is invalid. It is kept as it was sent.
package struct IntakeRejection: Hashable, Sendable {
    /// Why a record was rejected.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case date, unit, range, value, type, identifier
        case endBeforeStart = "end_before_start"
        /// The record was deleted before (Semantics §15.5).
        case tombstoned
    }

    /// The record's place in the body.
    package var index: Int
    /// The sender's identifier of the record; nil if it has none.
    package var identifier: String?
    package var reason: Reason
    /// The field that the reason refers to; nil for the record as a whole.
    package var field: String?
    /// The record as JSON.
    package var json: String

    package init(
        index: Int, identifier: String? = nil, reason: Reason, field: String? = nil, json: String
    ) {
        self.index = index
        self.identifier = identifier
        self.reason = reason
        self.field = field
        self.json = json
    }
}
