import HealthEngine
import HealthStorage

/// A record of `samples` that is understood.
enum HealthSaveRecord {
    case sample(ReceivedSample)
    case total(ExternalTotal)

    init(_ record: JSONValue, of batch: HealthSaveBatch) throws(UnreadableRecord) {
        guard record.members != nil else { throw .invalid(.type, field: nil) }
        guard let type = batch.type else { throw .unknown(batch.metric) }
        if HealthSaveTotal.isTotal(record, of: batch, type) {
            self = .total(try HealthSaveTotal.total(record, of: batch, type))
            return
        }
        switch type.kind {
        case .quantity:
            let frame = try HealthSaveFrame(record, of: batch, type)
            let measured = try HealthSaveValue(record, of: batch, type)
            var sample = frame.sample(type, orElse: .content)
            sample.value = measured.value
            sample.origin.unit = measured.unit
            self = .sample(sample)
        case .category:
            let frame = try HealthSaveFrame(record, of: batch, type)
            var sample = frame.sample(type, orElse: .content)
            sample.value = try HealthSaveRecord.categoryValue(of: record, type)
            self = .sample(sample)
        case .workout:
            let frame = try HealthSaveFrame(record, of: batch, type)
            let workout = try HealthSaveWorkout(record)
            var sample = frame.sample(type, orElse: .workout)
            sample.detail = .workout(workout.workout)
            sample.metadata.merge(workout.metadata) { given, _ in given }
            self = .sample(sample)
        default: throw .unknown(batch.metric)
        }
    }

    /// Reads a category's raw value, or the name of one: `asleepCore`, `asleep_core`,
    /// `HKCategoryValueSleepAnalysisAsleepCore`.
    private static func categoryValue(
        of record: JSONValue, _ type: SampleType
    ) throws(UnreadableRecord) -> Double {
        guard let value = record["value"] else { throw .invalid(.value, field: "value") }
        if let raw = value.integer { return Double(raw) }
        guard let word = value.string, let enumeration = type.valueEnumeration else {
            throw .invalid(.value, field: "value")
        }
        let key = HealthSaveMetric.folded(word)
        let known = Catalogue.values(of: enumeration).first {
            HealthSaveMetric.folded($0.name) == key
                || HealthSaveMetric.folded($0.exportedName) == key
        }
        if let known { return Double(known.rawValue) }
        guard type.name == "sleepAnalysis", let stage = stages[key] else {
            throw .unknown("\(type.name) value")
        }
        return stage
    }

    /// HealthKit's values of the short names of sleep stages.
    private static let stages: [String: Double] = ["core": 3, "deep": 4, "rem": 5]
}
