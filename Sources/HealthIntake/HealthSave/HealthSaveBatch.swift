import HealthEngine
import HealthStorage

/// What a batch says about all of its records.
struct HealthSaveBatch {
    enum Version {
        /// Without UUIDs and deletions.
        case first
        /// Every sample has a UUID. A number without one is a total.
        case second
    }

    /// The name of the metric as sent.
    let metric: String
    /// The type of the metric; nil for an unknown one.
    let type: SampleType?
    let version: Version
    /// The batch's `source_bundle_id`; empty if it has none.
    let bundleIdentifier: String
    let device: Device?
    let receivedAt: Double

    /// The kind of Apple's device that recorded the samples, such as "Watch"; nil if the batch's
    /// bundle identifier isn't one of such a device. It determines the priority of the source.
    var productType: String? {
        bundleIdentifier.hasPrefix("com.apple.health.") ? device?.model : nil
    }

    /// The statement that a run has all samples of the metric; nil without one.
    let completion: IntakeCompletion?

    /// Goes through the body once, since its fields can follow the records.
    init(_ request: IntakeRequest) throws {
        var reader = JSONReader(request.body)
        guard try reader.nextKind() == .object else { throw HealthSaveBatch.otherShape }
        var fields: [JSONValue.Member] = []
        var hasRecords = false
        try reader.readObject { name, reader in
            let kind = try reader.nextKind()
            switch name {
            case "samples", "deletions":
                if kind == .array { hasRecords = true }
                try reader.skipValue()
            case "metric", "schema_version", "source_bundle_id", "device", "batch_index",
                "total_batches":
                fields.append(.init(name: name, value: try reader.readValue()))
            default: try reader.skipValue()
            }
        }
        try reader.requireEnd()
        guard hasRecords else { throw HealthSaveBatch.otherShape }
        let batch = JSONValue.object(fields)
        metric = batch["metric"]?.string ?? request.headers["X-HealthSave-Metric"] ?? "metric"
        type = HealthSaveMetric.type(named: metric)
        let stated = request.headers["X-HealthSave-Schema-Version"].flatMap { Int($0) }
        version = (batch["schema_version"]?.integer ?? stated ?? 1) >= 2 ? .second : .first
        bundleIdentifier = batch["source_bundle_id"]?.string ?? ""
        let device = Device(
            name: HealthSaveBatch.text(batch["device"], "name"),
            model: HealthSaveBatch.text(batch["device"], "model"))
        self.device = device == Device() ? nil : device
        receivedAt = request.receivedAt
        completion = HealthSaveRun(request.headers, batch, metric: metric).completion(
            of: version == .second ? type : nil)
    }

    private static let otherShape = IntakeError.notThisDialect(
        expected: "“samples” or “deletions”")

    private static func text(_ object: JSONValue?, _ field: String) -> String? {
        object?[field]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}
