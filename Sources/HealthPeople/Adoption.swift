import Foundation
import HealthStorage

extension People {
    /// Replaces a person's store by a copy of another store, with its imports: a personal one that
    /// moves in, or this person's after an import. Cursors and anchors of the copied store remain
    /// valid.
    ///
    /// - Parameters:
    ///   - path: The path of the store. It isn't changed.
    ///   - person: The person.
    ///   - base: The end of the log that the caller has read; nil for any. A log that has gone on
    ///     since is not replaced.
    ///   - now: The current time, in reference seconds.
    ///   - subject: The name of the operation in the log of accesses.
    /// - Throws: ``PeopleError/unknownPerson``; ``PeopleError/changedMeanwhile`` if the log has gone on;
    ///   ``SQLError``, `StoreError`.
    package func adopt(
        storeAt path: String, as person: String, replacing base: LogHead? = nil,
        subject: String = "adopt", at now: Double
    ) throws {
        let key = try keys.key(of: person)
        let folder = try PrivateFolder()
        let copyPath = folder.path + "/copy.sqlite"
        let store = try SampleStore(at: path, access: .reading)
        _ = try store.copyForLog(to: copyPath)
        try store.close()
        var copy = try SealedCopy(
            ofFile: copyPath, with: key, schema: SampleStore.schemaVersion)
        try log.writeChunks(&copy, of: person, at: now)
        for _ in 0..<PersonStore.maximumAttempts {
            guard let head = try log.head(of: person) else { throw PeopleError.unknownPerson }
            if let base, base != head { throw PeopleError.changedMeanwhile }
            let entry = try LogEntry(
                .checkpoint, copy.manifest.json, after: head, of: person, with: key,
                schema: SampleStore.schemaVersion)
            let append = ChangeLog.Append(
                entry: entry, copy: copy,
                access: AccessRecord(
                    person: person, at: now, actor: "operator", action: .write, subject: subject,
                    result: 200),
                writtenAt: now)
            if case .committed = try log.append(append, to: person, after: head) { return }
        }
        throw PeopleError.changedMeanwhile
    }

    /// Writes a person's store to a file of its own, which any program can use.
    ///
    /// - Parameters:
    ///   - person: The person.
    ///   - path: The path, which must not exist.
    ///   - subject: The name of the operation in the log of accesses.
    /// - Returns: The end of the log that the file has.
    /// - Throws: ``PeopleError/unknownPerson``, ``SQLError``, `StoreError`.
    @discardableResult
    package func export(
        _ person: String, to path: String, subject: String = "export", at now: Double
    ) throws -> LogHead {
        let folder = try PrivateFolder()
        let queue = DispatchQueue(label: "org.openhealthkit.export")
        let store = PersonStore(person, self, folder: folder.path + "/store", queue)
        let opened = try store.catchUp()
        let copyPath = folder.path + "/copy.sqlite"
        _ = try opened.store.copyForLog(to: copyPath)
        try SampleStore.completeLogCopy(at: copyPath)
        let copy = try SampleStore(at: copyPath, access: .writing)
        try copy.buildSegments()
        try copy.close()
        do { try FileManager.default.moveItem(atPath: copyPath, toPath: path) } catch {
            throw PeopleError.fileFailed(path)
        }
        try log.database.blockingTransaction(.readWrite) { [dialect = log.dialect] connection in
            try dialect.limit(connection, to: .person(person))
            try AccessRecord(
                person: person, at: now, actor: "operator", action: .read, subject: subject,
                result: 200
            ).insert(connection)
        }
        return opened.head
    }

    /// What became of new identifiers after a restored backup.
    package struct Renewal: Hashable, Sendable {
        /// The number of stores with a new identifier.
        package var renewed = 0
        /// The people whose keys are missing and who were not erased.
        package var keyless: [String] = []
        /// The number of people whose keys were missing and who were erased again.
        package var erased = 0
        /// The people whose stores failed, in their order.
        package var failed: [String] = []
    }

    /// What is done with people whose keys are missing. They were erased after the backup, or the
    /// database of keys was restored from an older backup.
    package enum KeylessPeople: Sendable { case kept, erased }

    /// Gives a person's store a new identifier, after a restored backup of the log: cursors and
    /// anchors from before the restore are refused, and clients compare everything.
    ///
    /// - Throws: ``PeopleError/missingKey``, other ``PeopleError``, ``SQLError``, `StoreError`.
    func renewIdentifier(of person: String, at now: Double) throws {
        let folder = try PrivateFolder()
        let queue = DispatchQueue(label: "org.openhealthkit.renewing")
        let store = PersonStore(person, self, folder: folder.path + "/store", queue)
        var change = PersonChange(
            access: AccessRecord(
                person: person, at: now, actor: "operator", action: .write,
                subject: "new identifier", result: 200))
        change.epoch = .next
        try store.change(change, at: now) { store in
            try store.renewIdentifier()
            return ChangeOutcome(())
        }
    }
}
