import Foundation
import HealthStorage
import Synchronization

extension PersonStore {
    /// Brings the store to the end of the log. Call it on the queue.
    ///
    /// A file that doesn't fit the log is discarded and built again from the newest copy.
    ///
    /// - Throws: ``PeopleError/unknownPerson`` for an unknown or erased person;
    ///   ``PeopleError/damagedLog``, ``PeopleError/newerVersion``, ``SQLError``, `StoreError`.
    @discardableResult
    func catchUp() throws -> Opened {
        do { return try catchUpOnce() } catch PeopleError.damagedLog {
            // The log can be incomplete because the person is being moved away.
            try people.log.requireServed(person)
            return try catchUpOnce()
        }
    }

    private func catchUpOnce() throws -> Opened {
        guard let end = try people.log.head(of: person) else {
            removeEverything()
            throw PeopleError.unknownPerson
        }
        if let opened, opened.head == end { return opened }
        let key = try people.keys.key(of: person)
        let isNew = self.opened == nil
        do {
            if let opened = try opened ?? openFile(end), opened.head.number <= end.number,
                try follow(opened, to: end, key)
            {
                if isNew { try adoptCatalogue(opened) }
                return opened
            }
        } catch let error as StoreError where error.code == .corrupt {
            // The file is damaged, not the log.
        }
        discard()
        // A checkpoint or dropped entries between two reads need another try.
        for attempt in 0..<3 {
            let built = try build(key)
            guard let end = try people.log.head(of: person) else {
                throw PeopleError.unknownPerson
            }
            if try follow(built, to: end, key) {
                try adoptCatalogue(built)
                return built
            }
            discard()
            if attempt > 0 { break }
        }
        throw PeopleError.damagedLog
    }

    /// Changes the codes of types that this version's catalogue has gained, as a change of the log.
    private func adoptCatalogue(_ opened: Opened) throws {
        guard try opened.store.lacksCatalogueCodes else { return }
        let now = Date.now.timeIntervalSinceReferenceDate
        try change(PersonChange(), at: now) { store in
            try store.adoptCatalogue()
            return ChangeOutcome(())
        }
    }

    /// Applies the entries after a file's state.
    ///
    /// - Returns: False if the file doesn't fit the log, or a checkpoint replaces it.
    private func follow(_ opened: Opened, to end: LogHead, _ key: PersonKey) throws -> Bool {
        while opened.head.number < end.number {
            let entries = try people.log.entries(of: person, after: opened.head.number)
            guard !entries.isEmpty else { return false }
            for entry in entries {
                guard entry.number == opened.head.number + 1,
                    entry.previousHash == opened.head.hash, entry.kind == .changeset
                else { return false }
                guard SchemaVersion.isReadable(entry.schema) else { throw PeopleError.newerVersion }
                let next = LogHead(number: entry.number, hash: entry.hash, epoch: end.epoch)
                let changeset = try entry.content(of: person, with: key)
                let isApplied = try opened.store.apply(changeset) {
                    try opened.store.setLogPosition(next.position)
                }
                guard isApplied else { return false }
                opened.head = next
                tail.withLock { $0.entries += Int64(entry.payload.count) }
            }
        }
        // After a later read of the head, more entries can be there.
        if opened.head.number == end.number {
            guard opened.head.hash == end.hash else { return false }
            opened.head = end
        }
        return true
    }

    /// Opens the file that this node has from before; nil if there is none that can be used.
    private func openFile(_ end: LogHead) throws -> Opened? {
        guard let path = PersonFiles.newest(in: folder) else { return nil }
        let store: SampleStore
        let position: LogPosition?
        do {
            store = try SampleStore.ofLog(at: path)
            position = try store.logPosition
        } catch let error as StoreError where error.code != .notPermitted && error.code != .busy {
            // Damaged, or of a version that this one can't read.
            PersonFiles.remove(path)
            return nil
        }
        guard let position, position.number <= end.number,
            let hash = HexadecimalText.bytes(position.hash)
        else {
            PersonFiles.remove(path)
            return nil
        }
        // Its entry can be dropped from the log by now; then the next one's previous hash decides.
        if let entry = try people.log.entry(position.number, of: person), entry.hash != hash {
            PersonFiles.remove(path)
            return nil
        }
        let opened = Opened(
            store, at: path, LogHead(number: position.number, hash: hash, epoch: end.epoch))
        guard try store.isReadable() else {
            PersonFiles.remove(path)
            return nil
        }
        try readTail()
        setOpened(opened)
        return opened
    }

    /// Builds the file from the newest copy in the log.
    private func build(_ key: PersonKey) throws -> Opened {
        guard let copy = try people.log.newestCopy(of: person) else {
            throw PeopleError.damagedLog
        }
        guard SchemaVersion.isReadable(copy.schema) else { throw PeopleError.newerVersion }
        let path = try nextPath()
        do {
            try people.log.restore(copy, of: person, with: key, to: path)
            try SampleStore.completeLogCopy(at: path)
            let store = try SampleStore.ofLog(at: path)
            try store.setLogPosition(copy.head.position)
            try store.buildSegments()
            let opened = Opened(store, at: path, copy.head)
            if !copy.isVerified, copy.writer != ProcessIdentity.own { try verify(copy, store) }
            tail.withLock { $0 = LogTail(copy: copy.bytes) }
            setOpened(opened)
            return opened
        } catch {
            PersonFiles.remove(path)
            throw error
        }
    }

    /// Marks a copy as restorable, after a check of the restored store.
    private func verify(_ copy: StoredCopy, _ store: SampleStore) throws {
        guard try store.check().isEmpty else { throw PeopleError.damagedLog }
        // The next node that restores it can mark it.
        try? people.log.markVerified(
            copy, of: person, at: Date.now.timeIntervalSinceReferenceDate)
    }

    private func readTail() throws {
        let copy = try people.log.newestCopy(of: person)
        let entries = try people.log.bytesOfEntries(of: person, after: copy?.head.number ?? 0)
        tail.withLock { $0 = LogTail(copy: copy?.bytes ?? 0, entries: entries) }
    }

    /// Writes a copy of the store to the log, so that building it again is fast, and drops entries
    /// that are no longer needed. An error is ignored: the next change tries again.
    func addSnapshot() {
        guard let opened, isSnapshotDue else { return }
        let path = folder + "/copy-" + HexadecimalText.random()
        defer { unlink(path) }
        do {
            let (now, key) = (
                Date.now.timeIntervalSinceReferenceDate, try people.keys.key(of: person)
            )
            // The state that the copy has, whatever was written meanwhile.
            guard let position = try opened.store.copyForLog(to: path),
                let hash = HexadecimalText.bytes(position.hash)
            else { return }
            var copy = try SealedCopy(
                ofFile: path, with: key, schema: SampleStore.schemaVersion)
            try people.log.writeChunks(&copy, of: person, at: now)
            let head = LogHead(
                number: position.number, hash: hash, epoch: opened.head.epoch)
            _ = try people.log.addSnapshot(copy, of: person, at: head, writtenAt: now)
            _ = try people.log.dropEntries(
                of: person, writtenBefore: now - PersonStore.retention)
            try readTail()
        } catch {}
    }

    /// Closes and removes all of the person's files.
    func removeEverything() {
        setOpened(nil)
        people.keys.forget(person)
        // What can't be removed now is found by the next look at the folder.
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// The versions of a store's schema.
enum SchemaVersion {
    /// Returns whether this version's stores can take the changes of a schema. Migrations only add,
    /// so changes of older schemas fit.
    static func isReadable(_ schema: String) -> Bool {
        guard let number = Int(schema), let own = Int(SampleStore.schemaVersion) else {
            return schema == SampleStore.schemaVersion
        }
        return number <= own
    }
}

extension HexadecimalText {
    /// Returns the bytes of hexadecimal digits; nil for another text.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard
                let byte = UInt8(
                    String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}

extension ChangeLog {
    /// Returns the bytes of the entries after a number.
    func bytesOfEntries(of person: String, after number: Int64) throws -> Int64 {
        try transaction(.readOnly, of: person) { connection in
            let rows = try connection.execute(
                "SELECT CAST(coalesce(sum(length(payload)), 0) AS bigint) FROM entry "
                    + "WHERE person = $1 AND number > $2", [.text(person), .integer(number)])
            return Int64(try rows.rows[0].int(0))
        }
    }
}
