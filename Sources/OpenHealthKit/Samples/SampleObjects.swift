import Foundation
import HealthEngine

/// Converts samples of a store to HealthKit objects.
///
/// Types, origins, sources, units and metadata are created once for a batch and shared by its
/// samples, so that a sample costs one object and no strings.
struct SampleObjects {
    private let batch: SampleBatch
    private let uuids: [SampleUUID]
    private let lookUp: (Int32) -> SampleType?
    private var origins: [(origin: SampleOrigin, unit: HKUnit?)?]
    private var sources: [HKSource?]
    private var metadata: [SampleMetadata?]
    private var families: [Int32: (type: HKSampleType, family: Family)] = [:]

    /// Returns the objects for the first `count` samples of a batch, in order.
    ///
    /// The samples after them are members of correlations, linked by `batch.parents`. A member that
    /// is also one of the first samples is a single object in both places.
    ///
    /// - Parameters:
    ///   - batch: The samples.
    ///   - uuids: The UUIDs, by index of `batch.samples`.
    ///   - count: The number of objects to return.
    ///   - lookUp: Returns the type of a code, for codes that a store assigned to types that are
    ///     not in the catalogue.
    /// - Returns: The objects.
    /// - Complexity: O(n).
    static func objects(
        from batch: SampleBatch, uuids: [SampleUUID], count: Int,
        lookUp: @escaping (Int32) -> SampleType? = Catalogue.type(code:)
    ) -> [HKSample] {
        var objects = SampleObjects(batch, uuids, lookUp)
        return batch.parents.isEmpty
            ? objects.withoutCorrelations(count) : objects.withCorrelations(count)
    }

    private init(
        _ batch: SampleBatch, _ uuids: [SampleUUID], _ lookUp: @escaping (Int32) -> SampleType?
    ) {
        self.batch = batch
        self.uuids = uuids
        self.lookUp = lookUp
        origins = Array(repeating: nil, count: batch.origins.count)
        sources = Array(repeating: nil, count: batch.sources.count)
        metadata = Array(repeating: nil, count: batch.metadata.count)
    }

    private mutating func withoutCorrelations(_ count: Int) -> [HKSample] {
        var objects: [HKSample] = []
        objects.reserveCapacity(count)
        for index in 0..<min(count, batch.samples.count) { objects.append(object(at: index)) }
        return objects
    }

    /// Returns the objects for the first `count` samples. Creates correlations last, because they
    /// need the objects of their members.
    private mutating func withCorrelations(_ count: Int) -> [HKSample] {
        var members: [Int: [Int]] = [:]
        for (child, parent) in batch.parents { members[parent, default: []].append(child) }
        var objects = [HKSample?](repeating: nil, count: batch.samples.count)
        for index in batch.samples.indices where family(at: index).family != .correlation {
            objects[index] = object(at: index)
        }
        for index in batch.samples.indices where objects[index] == nil {
            let memberObjects = (members[index] ?? []).compactMap { objects[$0] }
            objects[index] = HKCorrelation(_record: record(at: index), objects: Set(memberObjects))
        }
        return objects.prefix(count).compactMap { $0 }
    }

    /// The raw value for an unknown value of an export: -1 if the type has an enumeration of its
    /// own, so that an unknown sleep value is not read as time in bed. Otherwise 0, which is "not
    /// applicable".
    private func unknownValue(of type: Int32) -> Int {
        let enumeration = Catalogue.type(code: type)?.valueEnumeration
        return enumeration == nil || enumeration == "HKCategoryValue" ? 0 : -1
    }

    private mutating func object(at index: Int) -> HKSample {
        let record = record(at: index)
        let sample = batch.samples[index]
        let detail = batch.details.isEmpty ? nil : batch.details[index]
        switch family(at: index).family {
        case .cumulative, .discrete:
            let unit = origin(at: Int(sample.origin)).unit ?? unit(of: record.sampleType)
            var series: [SeriesQuantity] = []
            if case .series(let quantities) = detail { series = quantities }
            return HKQuantitySample.instance(
                record, value: sample.value, unit: unit, series: series)
        case .category:
            return HKCategorySample(
                _record: record, value: Int(exactly: sample.value) ?? unknownValue(of: sample.type))
        case .correlation: return HKCorrelation(_record: record, objects: [])
        case .other: return structured(record, detail)
        }
    }

    /// Creates a sample that is not a quantity sample, category sample or correlation.
    private func structured(_ record: SampleRecord, _ detail: SampleDetail?) -> HKSample {
        if let object = SampleObjects.measurement(record, detail) { return object }
        switch detail {
        case .workout(let workout): return HKWorkout(_record: record, content: workout)
        case .route(let points): return HKWorkoutRoute(_record: record, points: points)
        case .heartbeats(let beats):
            return HKHeartbeatSeriesSample(_record: record, beats: beats)
        case .numbers(let numbers): return structured(record, numbers)
        case .clinicalRecord(let content):
            return HKClinicalRecord(_record: record, content: content)
        case .document(let content): return HKCDADocumentSample(_record: record, content: content)
        case .verifiableClinicalRecord(let content):
            return HKVerifiableClinicalRecord(_record: record, content: content)
        case .medicationDose(let dose):
            guard record.sampleType is HKMedicationDoseEventType else {
                return HKSample(_record: record)
            }
            return HKMedicationDoseEvent(_record: record, dose: dose)
        case .activitySummary, .series, .audiogram, .visionPrescription, nil:
            return structured(record, [:])
        }
    }

    /// Creates a sample whose content is a set of named numbers, or is not stored.
    private func structured(_ record: SampleRecord, _ numbers: [String: [Double]]) -> HKSample {
        let answers = numbers.integers(.answers)
        switch record.sampleType {
        case is HKWorkoutType:
            let other = Int(HKWorkoutActivityType.other.rawValue)
            return HKWorkout(_record: record, content: Workout(activityType: other))
        case HKSeriesType.workoutRoute(): return HKWorkoutRoute(_record: record, points: [])
        case HKSeriesType.heartbeat(): return HKHeartbeatSeriesSample(_record: record, beats: [])
        case is HKStateOfMindType:
            return HKStateOfMind(_record: record, facts: StateOfMindFacts(numbers))
        case HKScoredAssessmentType(.GAD7):
            return HKGAD7Assessment(_record: record, answers: answers)
        case HKScoredAssessmentType(.PHQ9):
            return HKPHQ9Assessment(_record: record, answers: answers)
        case is HKElectrocardiogramType:
            return HKElectrocardiogram(_record: record, numbers: numbers)
        case is HKClinicalType: return HKClinicalRecord(_record: record, content: nil)
        case is HKDocumentType: return HKCDADocumentSample(_record: record, content: nil)
        case is HKMedicationDoseEventType:
            let stored = record.metadata?.stored
            return HKMedicationDoseEvent(
                _record: record, dose: MedicationDose(numbers: numbers) { stored?[$0] })
        default: return HKSample(_record: record)
        }
    }

    private mutating func record(at index: Int) -> SampleRecord {
        let sample = batch.samples[index]
        return SampleRecord(
            uuid: UUID(uuids[index]), sampleType: family(at: index).type, start: sample.start,
            end: sample.end, origin: origin(at: Int(sample.origin)).origin,
            metadata: metadata(at: Int(sample.metadata)))
    }

    /// The unit of a quantity whose origin has no known unit: the canonical unit of the type, or
    /// the null unit for a type that is not in the catalogue.
    private func unit(of type: HKSampleType) -> HKUnit {
        (type as? HKQuantityType)?.canonicalUnit.map { HKUnit(_unit: $0) } ?? .null
    }
}

extension SampleObjects {
    private enum Family { case cumulative, discrete, category, correlation, other }

    private mutating func family(at index: Int) -> (type: HKSampleType, family: Family) {
        let code = batch.samples[index].type
        if let known = families[code] { return known }
        let type =
            lookUp(code).map { HKSampleType.of($0) }
            ?? HKSampleType.of(identifier: "unknown type \(code)")
        let family: Family =
            switch type {
            case let type as HKQuantityType:
                type.row?.aggregation == .cumulative ? .cumulative : .discrete
            case is HKCategoryType: .category
            case is HKCorrelationType: .correlation
            default: .other
            }
        families[code] = (type, family)
        return (type, family)
    }

    /// The origin of rows without a valid origin, which other programs can write.
    private static let unknownOrigin = SampleOrigin(
        sourceRevision: HKSourceRevision(
            source: unknownSource, version: nil, productType: nil,
            operatingSystemVersion: OperatingSystemVersion(text: nil)), device: nil)
    private static let unknownSource = HKSource(_name: "", bundleIdentifier: "")

    private mutating func origin(at index: Int) -> (origin: SampleOrigin, unit: HKUnit?) {
        guard origins.indices.contains(index) else { return (SampleObjects.unknownOrigin, nil) }
        if let known = origins[index] { return known }
        let origin = batch.origins[index]
        let revision = HKSourceRevision(
            source: source(at: Int(origin.source)), version: origin.version,
            productType: origin.productType,
            operatingSystemVersion: OperatingSystemVersion(text: origin.operatingSystemVersion))
        let result = (
            origin: SampleOrigin(
                sourceRevision: revision, device: origin.device.map { HKDevice(_device: $0) }),
            unit: origin.unit.flatMap { UnitCache.unit($0) }
        )
        origins[index] = result
        return result
    }

    private mutating func source(at index: Int) -> HKSource {
        guard sources.indices.contains(index) else { return SampleObjects.unknownSource }
        if let known = sources[index] { return known }
        let source = HKSource(batch.sources[index])
        sources[index] = source
        return source
    }

    private mutating func metadata(at index: Int) -> SampleMetadata? {
        guard index >= 0 else { return nil }
        if let known = metadata[index] { return known }
        let result = SampleMetadata(batch.metadata[index])
        metadata[index] = result
        return result
    }
}

extension UUID {
    /// Creates a Foundation UUID with the same 128 bits as a sample UUID.
    init(_ uuid: SampleUUID) {
        var bytes = (uuid.high.bigEndian, uuid.low.bigEndian)
        self = withUnsafeBytes(of: &bytes) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}

extension SampleUUID {
    /// Creates a sample UUID with the same 128 bits as a Foundation UUID.
    init(_ uuid: UUID) {
        var bytes = uuid.uuid
        let (high, low) = withUnsafeBytes(of: &bytes) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self.init(high: high, low: low)
    }
}
