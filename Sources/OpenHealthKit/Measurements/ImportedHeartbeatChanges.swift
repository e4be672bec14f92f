import HealthEngine
import HealthStorage

/// The samples saved and deleted after a position, as an app sees them.
struct VisibleChanges {
    var added: [HKSample] = []
    var deleted: [DeletedSample] = []
    /// The position to continue from.
    var sequence: Int64
}

extension VisibleChanges {
    init(_ stored: StoredChanges) {
        added = SampleObjects.objects(stored.samples)
        deleted = stored.deleted
        sequence = stored.sequence
    }
}

extension QueryExecution {
    /// Reads changes after a position. If heartbeat series are requested and samples of heart-rate
    /// variability are not, they include the series of imported heartbeats (Semantics §10.5b).
    ///
    /// A deleted sample of heart-rate variability counts as a deleted series, whether or not it had
    /// heartbeats: its tombstone doesn't tell.
    ///
    /// - Parameters:
    ///   - requests: The samples to return.
    ///   - number: The position.
    ///   - limit: The maximum number of samples; ``HKObjectQueryNoLimit`` for no limit.
    ///   - visibility: What the app may read.
    func changesWithHeartbeats(
        _ requests: [SampleRequest], after number: Int64, limit: Int, _ visibility: Visibility
    ) throws -> VisibleChanges {
        guard let types = HeartbeatTypes.catalogued,
            requests.contains(where: { $0.type == types.series }),
            !requests.contains(where: { $0.type == types.variability }),
            !visibility[types.series.code].isHidden,
            visibility[types.series.code].onlySource == nil
        else {
            return VisibleChanges(
                try storedChanges(requests, after: number, limit: limit, visibility))
        }
        let extended = requests + [SampleRequest(types.variability)]
        let visible = visibility.reading(types.variability, as: types.series)
        let head = try connection.readableStore.lastSequence
        var changes = VisibleChanges(sequence: number)
        // Samples without heartbeats give nothing, so a page of them is followed by the next one.
        repeat {
            let rest = limit == HKObjectQueryNoLimit ? limit : limit - counted(changes)
            let page = try storedChanges(extended, after: changes.sequence, limit: rest, visible)
            changes.sequence = page.sequence
            changes.deleted += page.deleted.compactMap(types.seriesDeletion)
            changes.added += try derive(types, page.samples, requests)
        } while changes.sequence < head && limit != HKObjectQueryNoLimit
            && counted(changes) < limit
            && changes.deleted.count < max(limit, AnchoredPage.minimumTombstones)
        return changes
    }

    /// The number of changes that count towards the limit of a page.
    private func counted(_ changes: VisibleChanges) -> Int {
        switch connection.options.tombstoneLimit {
        case .samplesOnly: changes.added.count
        case .samplesAndDeletions: changes.added.count + changes.deleted.count
        }
    }

    /// Returns the objects of stored samples in their order, with series in place of samples of
    /// heart-rate variability.
    private func derive(
        _ types: HeartbeatTypes, _ stored: StoredSamples, _ requests: [SampleRequest]
    ) throws -> [HKSample] {
        let wanted = requests.filter { $0.type == types.series }
        let series = try withoutStored(
            types.series(of: stored).filter { series in
                wanted.contains { $0.filter.matches(series.facts) }
            }, types)
        let byUUID = Dictionary(series.map { (SampleUUID($0.uuid), $0) }) { first, _ in first }
        return zip(SampleObjects.objects(stored), stored.uuids).enumerated().compactMap {
            stored.batch.samples[$0.offset].type == types.variability.code
                ? byUUID[types.seriesUUID($0.element.1)] : $0.element.0
        }
    }
}

extension HeartbeatTypes {
    /// Returns a deletion as that of a heartbeat series; nil for a sample of heart-rate variability
    /// that was not imported.
    fileprivate func seriesDeletion(_ deletion: DeletedSample) -> DeletedSample? {
        guard deletion.type == variability.code else { return deletion }
        guard let uuid = seriesUUID(ofImported: deletion.uuid) else { return nil }
        var deletion = deletion
        deletion.uuid = uuid
        deletion.type = series.code
        return deletion
    }
}
