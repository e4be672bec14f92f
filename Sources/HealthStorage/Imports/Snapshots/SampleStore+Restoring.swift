import GRDB
package import HealthEngine

// What an export of another store contains in addition to the samples of Apple's exports. All of
// it is written after ``SnapshotWriter/finish(_:)``, in the transaction of the import.
extension SampleStore.ImportContext {
    /// Saves samples that a program or a device saved, with their UUIDs. Those that are stored, or
    /// that were deleted, are left out.
    ///
    /// - Parameters:
    ///   - batch: The samples. Every origin needs a source, and every source a bundle identifier.
    ///   - uuids: One UUID for each sample, by index.
    ///   - created: The creation time for samples without one, in reference seconds.
    /// - Returns: The number of samples that were saved.
    /// - Throws: ``StoreError`` as ``SampleStore/save(_:uuids:associatedWith:members:at:)``.
    /// - Complexity: O(m log n) for m samples of the batch and n stored ones.
    package func save(
        _ batch: SampleBatch, uuids: [SampleUUID], at created: Double
    ) throws -> Int {
        let rows = try StoredRows(db)
        var seen: Set<SampleUUID> = []
        var new = batch
        (new.samples, new.details) = ([], [:])
        var newUUIDs: [SampleUUID] = []
        for (index, uuid) in uuids.enumerated() {
            guard seen.insert(uuid).inserted, try rows.find(uuid) == nil,
                try !isDeleted(uuid)
            else { continue }
            if let detail = batch.details[index] { new.details[new.samples.count] = detail }
            new.samples.append(batch.samples[index])
            newUUIDs.append(uuid)
        }
        if new.samples.isEmpty { return 0 }
        try SampleStore.validate(new, newUUIDs, created)
        let outcome = try SampleSaving(db, new, newUUIDs, created).run(associatedWith: nil)
        return new.samples.count - outcome.ignored.count
    }

    private func isDeleted(_ uuid: SampleUUID) throws -> Bool {
        try Int.readOne(
            db.cachedStatement(sql: "SELECT 1 FROM tombstone WHERE uuid = ?"),
            arguments: [uuid.blob]) != nil
    }

    /// Makes stored samples members of a stored workout or correlation. Samples that aren't stored
    /// are left out.
    ///
    /// - Parameters:
    ///   - members: The UUIDs of the samples.
    ///   - parent: The UUID of the workout or correlation.
    /// - Throws: An error if the file can't be read or written.
    package func associate(_ members: [SampleUUID], with parent: SampleUUID) throws {
        let rows = try StoredRows(db)
        guard let holder = try rows.find(parent)?.sequence else { return }
        for member in members {
            guard let child = try rows.find(member)?.sequence, child != holder else { continue }
            try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO membership (parent, child) VALUES (?, ?)"
            ).execute(arguments: [holder, child])
        }
    }

    /// Sets the bundle identifier of a source that this import found by its name, unless it is
    /// known better or belongs to another source.
    ///
    /// - Parameters:
    ///   - name: The name of the source.
    ///   - bundleIdentifier: The bundle identifier.
    /// - Throws: An error if the file can't be read or written.
    package func identify(_ name: String, as bundleIdentifier: String) throws {
        guard !bundleIdentifier.isEmpty, !bundleIdentifier.contains(where: \.isWhitespace) else {
            return
        }
        let id = try Int64.readOne(
            db,
            sql: "SELECT id FROM source JOIN source_alias ON source = id "
                + "WHERE folded = ? AND derivation = 'derived' AND bundle_identifier <> ?",
            arguments: [StoredText.folded(name), bundleIdentifier])
        guard id != nil else { return }
        do {
            try SampleStore.identify(name, as: bundleIdentifier, db)
        } catch is StoreError {
            // The identifier or the name belongs to another source: the derived one stays.
        }
    }

    /// Writes a note on a day that has none.
    ///
    /// - Parameter note: The note.
    /// - Returns: Whether it was written.
    /// - Throws: ``StoreError`` if there are too many notes, or the file can't be written.
    package func add(_ note: DayNote) throws -> Bool {
        let text = DayNote.normalized(note.text)
        guard !text.isEmpty, text.unicodeScalars.count <= DayNote.maximumLength,
            CivilDate.supportedRange.contains(note.day), note.day.isInCalendar,
            note.modified.magnitude <= ColumnRule.latestTime
        else { return false }
        guard try SampleStore.dayNoteCount(db) < DayNote.maximumCount else {
            throw StoreError(.invalidNote(.tooMany))
        }
        try db.execute(
            sql: "INSERT OR IGNORE INTO day_note (day, text, modified) VALUES (?, ?, ?)",
            arguments: [note.day.description, text, note.modified])
        return db.changesCount > 0
    }

    /// Brings the column segments up to date after samples were saved.
    ///
    /// - Throws: An error if the file can't be written.
    package func buildSegments() throws { try SegmentWriter.fill(db, .unlimited) }

    /// The current home zone, or the one to set.
    ///
    /// - Parameters:
    ///   - specified: The zone that the person names; nil for none.
    ///   - system: The zone of the computer.
    /// - Returns: The zone that the store has now.
    /// - Throws: An error if the file can't be read or written.
    package func settleHomeZone(specified: String?, system: String) throws -> HomeZone {
        if specified == nil, let zone = try homeZone() { return zone }
        let zone = HomeZone(
            identifier: specified ?? system, reason: specified == nil ? .system : .specified)
        try setHomeZone(zone)
        return zone
    }
}

extension SampleUUID {
    /// Whether the UUID is that of an imported sample with a start: the sample's identity consists
    /// of its content, see ``ImportedIdentity``.
    ///
    /// - Parameter start: The start, in reference seconds.
    package func isImported(startingAt start: Double) -> Bool {
        guard let place = importedIdentity else { return false }
        return abs(place.start - start) <= 0.001
    }
}
