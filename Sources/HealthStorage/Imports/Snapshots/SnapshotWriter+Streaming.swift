public import HealthEngine

extension SnapshotWriter {
    /// Takes samples in; members of others, and orphans, may repeat a record that stands elsewhere in
    /// the file.
    ///
    /// - Parameter details: The batch's structured parts, as far as they have been prepared.
    /// - Throws: ``StoreError`` of code `cancelled` when asked to stop, `invalidArgument` if the
    ///   batch breaks ``SampleBatch/checkInvariants()`` or has times that no UUID of an imported
    ///   sample can hold; the transaction is then undone.
    /// - Complexity: O(samples · log stored samples); origins that no sample has cost nothing.
    public func write(
        _ batch: SampleBatch, _ details: PreparedDetails = PreparedDetails()
    ) throws {
        try stopIfCancelled()
        try refuseBreaches(of: batch)
        var references = BatchReferences(batch, interning)
        var sequences: [Int: Int64] = [:]
        let isParent = Set(batch.parents.values)
        let hasMembers = !batch.parents.isEmpty || !batch.orphans.isEmpty
        for index in batch.samples.indices
        where !hasMembers || batch.parents[index] == nil && !batch.orphans.contains(index) {
            let row = try row(index, of: batch, details, &references)
            count(row)
            let sequence = try take(row)
            if hasMembers, isParent.contains(index) { sequences[index] = sequence }
        }
        if !hasMembers { return }
        for index in batch.samples.indices {
            let parent = batch.parents[index]
            guard parent != nil || batch.orphans.contains(index) else { continue }
            let row = try row(index, of: batch, details, &references)
            count(row)
            try keepNested(row, parent: parent.flatMap { sequences[$0] } ?? 0)
        }
    }

    private func refuseBreaches(of batch: SampleBatch) throws {
        do {
            try batch.checkInvariants()
        } catch {
            throw StoreError(.invalidArgument, "\(error)")
        }
        for (index, sample) in batch.samples.enumerated()
        where !ImportedIdentity.canHold(sample) {
            throw StoreError(
                .invalidArgument, "\(SampleBatchBreach.times(sample: index))")
        }
    }

    private func row(
        _ index: Int, of batch: SampleBatch, _ details: PreparedDetails,
        _ references: inout BatchReferences
    ) throws -> StoredRow {
        let sample = batch.samples[index]
        let origin = try references.origin(sample.origin)
        var text = details[index]
        if text == nil, !batch.details.isEmpty, let detail = batch.details[index] {
            text = try StoredText.detail(routes.settingPointsApart(detail))
        }
        return StoredRow(
            sequence: 0, type: sample.type, start: sample.start,
            key: ImportedIdentity.key(
                end: sample.end, created: sample.created, source: origin.number),
            end: sample.end, created: sample.created, origin: origin.id,
            metadata: try references.metadata(sample.metadata),
            value: sample.value, detail: text)
    }

    private func count(_ row: StoredRow) {
        let seenAt = row.created.isNaN ? row.start : row.created
        if originRun.origin != row.origin {
            endOriginRun()
            originRun.origin = row.origin
        }
        originRun.count.add(OriginCount(samples: 1, firstSeen: seenAt))
    }

    /// Adds the last rows in a row of one origin to ``originCounts``.
    func endOriginRun() {
        if originRun.count.samples == 0 { return }
        originCounts[originRun.origin, default: OriginCount()].add(originRun.count)
        originRun.count = OriginCount()
    }
}

/// The stored numbers of what a batch's samples point at: each is looked up when first needed.
private struct BatchReferences {
    struct ResolvedOrigin {
        var id: Int64
        var number: UInt64
    }

    private let batch: SampleBatch
    private let interning: Interning
    private var origins: [ResolvedOrigin?]
    /// -1 where it hasn't been looked up.
    private var metadata: [Int64]

    init(_ batch: SampleBatch, _ interning: Interning) {
        self.batch = batch
        self.interning = interning
        origins = Array(repeating: nil, count: batch.origins.count)
        metadata = Array(repeating: -1, count: batch.metadata.count)
    }

    mutating func origin(_ index: Int32) throws -> ResolvedOrigin {
        if let known = origins[Int(index)] { return known }
        let origin = batch.origins[Int(index)]
        let source =
            origin.source < 0 ? 0 : try interning.source(batch.sources[Int(origin.source)])
        let resolved = ResolvedOrigin(
            id: try interning.origin(origin, source: source),
            number: source == 0 ? 0 : try interning.sourceNumber(source))
        origins[Int(index)] = resolved
        return resolved
    }

    mutating func metadata(_ index: Int32) throws -> Int64 {
        if index < 0 { return 0 }
        let known = metadata[Int(index)]
        if known >= 0 { return known }
        let id = try interning.metadata(batch.metadata[Int(index)])
        metadata[Int(index)] = id
        return id
    }
}
