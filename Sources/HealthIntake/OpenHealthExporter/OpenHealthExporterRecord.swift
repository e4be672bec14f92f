import HealthEngine
import HealthStorage

/// What the header of a batch says about its records.
struct OpenHealthExporterBatch {
    /// The identifier of the installation that sends; empty without a header.
    var exporter = ""
    /// Whether the records are invented, to try the app out.
    var isDemo = false
    /// Whether there is a header: records without one are accepted, too.
    var hasHeader = false
    /// The number of records that the header states; 0 if it doesn't.
    var recordCount = 0

    init() {}

    init(header: JSONValue) {
        hasHeader = true
        recordCount = header["recordCount"]?.integer ?? 0
        exporter = header["exporterId"]?.string ?? ""
        isDemo = header["demo"]?.bool ?? false
    }
}

/// A record that is understood.
enum OpenHealthExporterRecord {
    case sample(ReceivedSample)
    case dose(ReceivedSample, Medication)
    case correlation(OpenHealthExporterCorrelation)
    case workout(OpenHealthExporterWorkout)
    case route(OpenHealthExporterRoute)
    case total(ExternalTotal)
    case deletion(SampleUUID, IntakeDeletion.Reason)

    /// Reads a record.
    ///
    /// - Throws: Kinds that the store has no samples for are unknown by their names:
    ///   electrocardiograms, audiograms, series except routes, doses without a time,
    ///   characteristics, receipts of the sender's runs, canaries, and kinds of later versions.
    init(
        _ record: JSONValue, of batch: OpenHealthExporterBatch, receivedAt: Double
    ) throws(UnreadableRecord) {
        guard let kind = record["kind"]?.string else { throw .unknown("kind") }
        if batch.isDemo { throw .unknown("demo") }
        if let version = record["v"], version.integer != 1 { throw .unknown("v") }
        switch kind {
        case "sample.quantity":
            self = .sample(try OpenHealthExporterSample.quantity(record, receivedAt: receivedAt))
        case "sample.category":
            self = .sample(try OpenHealthExporterSample.category(record, receivedAt: receivedAt))
        case "sample.stateOfMind":
            self = .sample(
                try OpenHealthExporterSample.stateOfMind(record, receivedAt: receivedAt))
        case "medicationDose":
            let dose = try OpenHealthExporterDose(record, receivedAt: receivedAt)
            self = .dose(dose.sample, dose.medication)
        case "sample.correlation":
            self = .correlation(
                try OpenHealthExporterCorrelation(record, receivedAt: receivedAt))
        case "workout":
            self = .workout(try OpenHealthExporterWorkout(record, receivedAt: receivedAt))
        case "series.workoutRoute": self = .route(try OpenHealthExporterRoute(record))
        case "aggregate":
            self = .total(try OpenHealthExporterAggregate.total(record, from: batch.exporter))
        case "tombstone":
            let uuid = try OpenHealthExporterFrame.uuid(record, "uuid")
            self = .deletion(uuid, try OpenHealthExporterRecord.reason(of: record))
        default: throw .unknown(kind)
        }
    }

    /// Reads the reason of a deletion. A deletion is final, so one for an unknown reason isn't one.
    private static func reason(
        of tombstone: JSONValue
    ) throws(UnreadableRecord) -> IntakeDeletion.Reason {
        switch tombstone["reason"]?.string {
        case "healthKitDeleted": return .deleted
        case "reconciliationAbsent": return .notFound
        case "authorizationRevoked": return .authorizationRevoked
        default: throw .unknown("tombstone.reason")
        }
    }
}
