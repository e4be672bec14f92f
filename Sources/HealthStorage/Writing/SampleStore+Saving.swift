import GRDB
public import HealthEngine

extension SampleStore {
    /// Saves samples with given UUIDs, in one transaction (Semantics §9.4).
    ///
    /// ```swift
    /// let steps = try store.type(named: "stepCount")
    /// let walk = Sample(type: steps.code, origin: 0, start: now - 600, end: now, value: 842)
    /// var batch = SampleBatch(samples: [walk])
    /// batch.sources = [Source(name: "Walks", bundleIdentifier: "com.example.walks")]
    /// batch.origins = [Origin(source: 0, version: "1.2", unit: "count")]
    /// let outcome = try store.save(batch, uuids: [uuid], at: now)
    /// ```
    /// Each stored sample gets the next sequence number, in the order of the batch.
    /// `SampleBatch.parents` makes samples members of others in the same batch.
    ///
    /// For samples with `HKMetadataKeySyncIdentifier` and `HKMetadataKeySyncVersion`, the store
    /// keeps one sample for each source, type and identifier (§9.1):
    /// - A higher version replaces the stored sample, which leaves a tombstone. The new sample
    ///   takes its place in workouts and correlations.
    /// - An equal or lower version is ignored, also within the batch. Members of an ignored
    ///   correlation are ignored too. If an ignored sample was to become a member, the stored
    ///   version becomes the member instead.
    /// - Imported samples are never replaced.
    ///
    /// - Parameters:
    ///   - batch: The samples. Every origin needs a source, and every source a bundle identifier.
    ///     Keys and sequence numbers in the batch are ignored.
    ///   - uuids: One UUID for each sample, by index.
    ///   - parent: A stored workout or correlation. All samples without a parent in the batch
    ///     become its members.
    ///   - members: Stored samples that become members of the first sample of the batch. Those that
    ///     are no longer stored are left out, and all are if the first sample is ignored.
    ///   - created: The creation time for samples without one, in seconds since the reference date.
    /// - Returns: The ignored samples and the assigned sequence numbers.
    /// - Throws: ``StoreError``: `invalidArgument` for an empty or malformed batch, a missing
    ///   bundle identifier, a UUID that is stored already or given twice (§9.3) or a sample that
    ///   ends before it starts; `unknownType` for a type code that neither the catalogue nor the
    ///   store has; `unknownSample` if the parent isn't stored.
    /// - Complexity: O(m log n) for m samples in the batch and n stored ones.
    @discardableResult
    public func save(
        _ batch: SampleBatch, uuids: [SampleUUID], associatedWith parent: SampleUUID? = nil,
        members: [SampleUUID] = [], at created: Double
    ) throws -> SaveOutcome {
        try SampleStore.validate(batch, uuids, created)
        return try write { db in
            let saving = try SampleSaving(db, batch, uuids, created)
            let outcome = try saving.run(associatedWith: parent)
            if !outcome.ignored.contains(0) {
                try SampleStore.associateStored(members, with: uuids[0], db)
            }
            return outcome
        }
    }

    static func validate(
        _ batch: SampleBatch, _ uuids: [SampleUUID], _ created: Double
    ) throws {
        if batch.samples.isEmpty {
            throw StoreError(.invalidBatch(.empty))
        }
        guard uuids.count == batch.samples.count else {
            throw StoreError(
                .invalidBatch(.uuidCount(samples: batch.samples.count, uuids: uuids.count)))
        }
        do {
            try batch.checkInvariants()
        } catch {
            throw StoreError(.invalidBatch(.violation(error)))
        }
        for (index, sample) in batch.samples.enumerated() {
            guard ImportedIdentity.canHoldTimes(sample), abs(created) <= 1e12 else {
                throw StoreError(.invalidBatch(.violation(.times(sample: index))))
            }
            if sample.end < sample.start {
                throw StoreError(.invalidBatch(.endsBeforeStart(sample: index)))
            }
        }
        if batch.origins.contains(where: { $0.source < 0 })
            || batch.sources.contains(where: { $0.bundleIdentifier.isEmpty })
        {
            throw StoreError(.invalidBatch(.noBundleIdentifier))
        }
        if batch.namesHoldNUL {
            throw StoreError(.invalidBatch(.nulCharacter))
        }
        var seen: Set<SampleUUID> = []
        seen.reserveCapacity(uuids.count)
        for uuid in uuids where !seen.insert(uuid).inserted {
            throw StoreError(.invalidBatch(.repeatedUUID(uuid)))
        }
    }

    /// Makes stored samples members of a stored workout or correlation. Existing members stay. The
    /// type of the parent isn't checked.
    ///
    /// - Parameters:
    ///   - children: The samples.
    ///   - parent: The workout or correlation.
    /// - Throws: ``StoreError`` of code `unknownSample` if a sample or the parent isn't stored.
    ///   Then nothing changes.
    package func associate(_ children: [SampleUUID], with parent: SampleUUID) throws {
        try write { db in
            let rows = try StoredRows(db)
            let parent = try rows.require(parent).sequence
            let insert = try StoreStatement<Membership, NoFields>(
                db, "INSERT OR IGNORE INTO membership \(Membership.inserted)")
            for child in children {
                try insert.bind(parent, to: .parent)
                try insert.bind(try rows.require(child).sequence, to: .child)
                try insert.run()
            }
        }
    }
}

extension SampleBatch {
    /// Whether a text of the batch that describes a source, a device or a unit contains a NUL
    /// character, at which SQLite would cut it off.
    fileprivate var namesHoldNUL: Bool {
        let names = sources.flatMap { [$0.name, $0.bundleIdentifier] }
        let revisions = origins.flatMap { origin in
            [origin.version, origin.productType, origin.operatingSystemVersion, origin.unit]
                + SampleFilter.DeviceProperty.allCases.map { origin.device?[$0] }
        }
        return (names + revisions.compactMap(\.self)).contains { $0.utf8.contains(0) }
    }
}

/// The result of a save.
public struct SaveOutcome: Hashable, Sendable {
    /// Indices of samples that were not stored, because an equal or higher version of their sync
    /// identifier is stored or in the batch, or because their correlation was ignored (Semantics
    /// §9.1).
    public var ignored: Set<Int>
    /// The first sequence number that the save assigned. Deletions of replaced samples, and
    /// correlations in which a sample was replaced, get one too.
    public var firstSequence: Int64
    /// The last sequence number that the save assigned; ``firstSequence`` - 1 if nothing changed.
    public var lastSequence: Int64
    /// Codes of the types with saved samples.
    public var types: Set<Int32>
}
