import Foundation
import HealthEngine
import HealthStorage

// An export contains heartbeats inside the heart-rate-variability sample that was computed from
// them, and an import stores them there. A phone has a heartbeat series beside that sample. So
// queries for heartbeat series return one for each such sample, which is derived when it is queried
// and takes no storage (Semantics §10.5b).

extension SampleUUID {
    /// Whether this is the UUID of an imported sample of a type.
    fileprivate func isImported(of type: SampleType) -> Bool {
        isOfImport && high >> 48 == UInt64(UInt16(truncatingIfNeeded: type.code))
    }

    /// The UUID with the code of another type in its first 16 bits (Documentation/Schema.md,
    /// Identity). So the UUID of a derived series leads to its sample and back.
    fileprivate func withType(_ type: SampleType) -> SampleUUID {
        let code = UInt64(UInt16(truncatingIfNeeded: type.code))
        return SampleUUID(high: high & 0x0000_FFFF_FFFF_FFFF | code << 48, low: low)
    }
}

/// The types between which heartbeats are derived.
struct HeartbeatTypes {
    /// The type of heartbeat series.
    let series: SampleType
    /// The type of the samples that contain heartbeats in an export.
    let variability: SampleType

    /// The types; nil if the catalogue lacks one.
    static let catalogued: HeartbeatTypes? = {
        guard let series = HKSeriesType.heartbeat().row,
            let variability = HKQuantityType(.heartRateVariabilitySDNN).row
        else { return nil }
        return HeartbeatTypes(series: series, variability: variability)
    }()

    /// Returns the series that the samples of an export imply, in their order. Samples without
    /// heartbeats, and samples that no import stored, imply none.
    func series(of stored: StoredSamples) -> [HKHeartbeatSeriesSample] {
        zip(SampleObjects.objects(stored), stored.uuids).enumerated().compactMap { index, pair in
            guard case .heartbeats(let beats) = stored.batch.details[index] else { return nil }
            return series(of: pair.0, pair.1, beats)
        }
    }

    /// Returns the series of a sample; nil if it isn't an imported one.
    func series(
        of sample: HKSample, _ uuid: SampleUUID, _ beats: [Heartbeat]
    ) -> HKHeartbeatSeriesSample? {
        guard uuid.isImported(of: variability) else { return nil }
        return HKHeartbeatSeriesSample(
            _record: SampleRecord(
                uuid: UUID(seriesUUID(uuid)), sampleType: HKSeriesType.heartbeat(),
                start: sample.start, end: sample.end, origin: sample.origin),
            beats: beats.exportedSeries)
    }

    /// Returns the UUID of the series that a sample implies.
    func seriesUUID(_ variability: SampleUUID) -> SampleUUID { variability.withType(series) }

    /// Returns the UUID of the series that a sample implies; nil if it isn't an imported one.
    func seriesUUID(ofImported sample: SampleUUID) -> SampleUUID? {
        sample.isImported(of: variability) ? seriesUUID(sample) : nil
    }

    /// Returns a filter for the samples whose series can match a filter.
    func sampleFilter(_ filter: SampleFilter) -> SampleFilter {
        if let uuids = filter.uuids {
            let samples = uuids.filter { $0.isImported(of: series) }
            return .test(.uuid, .oneOf(samples.map { .uuid($0.withType(variability)) }))
        }
        let bounds = filter.timeBounds
        if bounds.isEmpty { return .nothing }
        return .and(Self.limits(.start, bounds.start) + Self.limits(.end, bounds.end))
    }

    private static func limits(
        _ attribute: SampleFilter.Attribute, _ range: TimeBounds.Range
    ) -> [SampleFilter] {
        [
            range.lower.map { .test(attribute, .compare(.atLeast, .date($0.time))) },
            range.upper.map { .test(attribute, .compare(.atMost, .date($0.time))) },
        ].compactMap(\.self)
    }
}

extension QueryExecution {
    /// Returns the series of imported heartbeats that match the requests for heartbeat series; none
    /// for an app that may read only its own series.
    ///
    /// A series that is stored itself, because a device sent it too, is left out.
    ///
    /// - Complexity: O(log n + samples of heart-rate variability in the times that the filters
    ///   permit).
    func importedHeartbeats(
        _ requests: [SampleRequest], _ visibility: Visibility
    ) throws -> [HKHeartbeatSeriesSample] {
        guard let types = HeartbeatTypes.catalogued else { return [] }
        let wanted = requests.filter { $0.type == types.series }
        let grant = visibility[types.series.code]
        guard !wanted.isEmpty, !grant.isHidden, grant.onlySource == nil else { return [] }
        let store = try connection.readableStore
        let samples = try store.objects(
            wanted.map { SampleRequest(types.variability, types.sampleFilter($0.filter)) },
            visibility: visibility.reading(types.variability, as: types.series))
        let found = types.series(of: samples).filter { series in
            wanted.contains { $0.filter.matches(series.facts) }
        }
        return try withoutStored(found, types)
    }

    /// Returns the series without those that begin in the same second as a stored one.
    func withoutStored(
        _ series: [HKHeartbeatSeriesSample], _ types: HeartbeatTypes
    ) throws -> [HKHeartbeatSeriesSample] {
        guard let first = series.map(\.start).min(), let last = series.map(\.start).max() else {
            return []
        }
        let filter = SampleFilter.and([
            .test(.start, .compare(.atLeast, .date(first.rounded(.down)))),
            .test(.start, .compare(.atMost, .date(last + 1))),
        ])
        let stored = try connection.readableStore.objects([SampleRequest(types.series, filter)])
        let seconds = Set(stored.batch.samples.map { $0.start.rounded(.down) })
        return series.filter { !seconds.contains($0.start.rounded(.down)) }
    }

    /// Reads the stored heartbeats of a series, which is a sample or part of an imported sample of
    /// heart-rate variability.
    ///
    /// - Throws: `errorNoData` if the series is not stored or not visible to the app; the errors of
    ///   ``visibility(of:)``.
    func beats(of series: HKHeartbeatSeriesSample) throws -> [Heartbeat] {
        let visibility = try visibility(of: [series.sampleType])
        let found = try connection.readableStore.object(
            SampleUUID(series.uuid), visibility: visibility)
        if let found, let stored = SampleObjects.objects(found).first as? HKHeartbeatSeriesSample {
            return stored.beats
        }
        guard let type = series.sampleType.row else { throw HKError(wellKnown: .errorNoData) }
        let request = SampleRequest(type, .any(of: [series.uuid]))
        guard let imported = try importedHeartbeats([request], visibility).first else {
            throw HKError(wellKnown: .errorNoData)
        }
        return imported.beats
    }
}

extension Visibility {
    /// Returns a visibility in which a type has the grant of another one.
    func reading(_ type: SampleType, as other: SampleType) -> Visibility {
        var result = self
        result.grants[type.code] = self[other.code]
        return result
    }
}
