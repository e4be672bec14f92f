import GRDB
public import HealthEngine

extension SampleStore {
    /// Saves samples with UUIDs of their own, all of them or none (Semantics §9.4).
    ///
    /// ```swift
    /// var batch = SampleBatch(samples: [sample])
    /// batch.sources = [Source(name: "Walks", bundleIdentifier: "com.example.walks")]
    /// batch.origins = [Origin(source: 0, version: "1.2", unit: "count")]
    /// let outcome = try store.save(batch, uuids: [uuid], at: now)
    /// ```
    /// Each sample gets the next number of a change, in the order of the batch. ``SampleBatch/parents``
    /// makes samples members of others in the same batch.
    ///
    /// Of samples with `HKMetadataKeySyncIdentifier` and `HKMetadataKeySyncVersion` one a source, type
    /// and identifier lives (§9.1). A higher version replaces the stored one, which leaves a tombstone,
    /// and takes its place in workouts and correlations; an equal or lower one is ignored, and with an
    /// ignored correlation its members are. Where an ignored sample was to be a member, the stored one
    /// is. Samples that archives brought are never replaced.
    ///
    /// - Parameters:
    ///   - batch: Every source needs a bundle identifier. Keys and sequence numbers in it are ignored.
    ///   - uuids: One a sample, by index.
    ///   - parent: A stored workout or correlation that all samples without a parent in the batch
    ///     become members of.
    ///   - members: Stored samples that become members of the batch's first one; those that are not
    ///     stored any more, or whose workout is ignored, are left out.
    ///   - created: When they are saved, in reference seconds, for samples that don't say so
    ///     themselves.
    /// - Throws: ``StoreError``: `invalidArgument` for an empty or malformed batch, a UUID that is
    ///   stored already or given twice (§9.3) and samples that end before they start;
    ///   `unknownSample` if there is no such parent.
    /// - Complexity: O(samples · log stored samples).
    @discardableResult
    public func save(
        _ batch: SampleBatch, uuids: [SampleUUID], associatedWith parent: SampleUUID? = nil,
        members: [SampleUUID] = [], at created: Double
    ) throws -> SaveOutcome {
        try SampleStore.refuseUnsavable(batch, uuids, created)
        return try write { db in
            let saving = try SampleSaving(db, batch, uuids, created)
            let outcome = try saving.run(associatedWith: parent)
            if !outcome.ignored.contains(0) {
                try SampleStore.associateStored(members, with: uuids[0], db)
            }
            return outcome
        }
    }

    private static func refuseUnsavable(
        _ batch: SampleBatch, _ uuids: [SampleUUID], _ created: Double
    ) throws {
        if batch.samples.isEmpty {
            throw StoreError(.invalidArgument, "There is no sample to save.")
        }
        guard uuids.count == batch.samples.count else {
            throw StoreError(.invalidArgument, "Each sample needs one UUID.")
        }
        do {
            try batch.checkInvariants()
        } catch {
            throw StoreError(.invalidArgument, "\(error)")
        }
        for (index, sample) in batch.samples.enumerated() {
            guard ImportedIdentity.canHoldTimes(sample), abs(created) <= 1e12 else {
                throw StoreError(.invalidArgument, "\(SampleBatchBreach.times(sample: index))")
            }
            if sample.end < sample.start {
                throw StoreError(
                    .invalidArgument, "Sample \(index) of the batch ends before it starts.")
            }
        }
        if batch.origins.contains(where: { $0.source < 0 })
            || batch.sources.contains(where: { $0.bundleIdentifier.isEmpty })
        {
            throw StoreError(.invalidArgument, "A source to save from needs a bundle identifier.")
        }
        if batch.namesHoldNUL {
            throw StoreError(
                .invalidArgument, "The name of a source or device holds a NUL character.")
        }
        var met: Set<SampleUUID> = []
        met.reserveCapacity(uuids.count)
        for uuid in uuids where !met.insert(uuid).inserted {
            throw StoreError(.invalidArgument, "The UUID \(uuid) is given to two samples.")
        }
    }

    /// Makes stored samples members of a stored workout or correlation; those that are already stay.
    ///
    /// - Throws: ``StoreError`` of code `unknownSample`, and nothing is changed.
    public func associate(_ children: [SampleUUID], with parent: SampleUUID) throws {
        try write { db in
            let rows = try StoredRows(db)
            let parent = try rows.require(parent).sequence
            let insert = try RawStatement(
                db, "INSERT OR IGNORE INTO membership (parent, child) VALUES (?, ?)")
            for child in children {
                insert.bind(parent, at: 1)
                insert.bind(try rows.require(child).sequence, at: 2)
                try insert.run()
            }
        }
    }
}

extension SampleBatch {
    /// Whether a text that the file keeps in a column of its own holds a NUL, where SQLite ends it.
    fileprivate var namesHoldNUL: Bool {
        let names = sources.flatMap { [$0.name, $0.bundleIdentifier] }
        let revisions = origins.flatMap { origin in
            [origin.version, origin.productType, origin.operatingSystemVersion, origin.unit]
                + SampleFilter.DeviceProperty.allCases.map { origin.device?[$0] }
        }
        return (names + revisions.compactMap(\.self)).contains { $0.utf8.contains(0) }
    }
}
