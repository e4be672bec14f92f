import Dispatch
import Foundation
package import HealthStorage
import Synchronization

/// What a request does to a person's store, with what the log is to know of it.
package struct PersonChange: Sendable {
    /// The idempotency key and the body of a device's request; nil for other changes.
    package var request: Request?
    /// The line for the log of accesses.
    package var access: AccessRecord?
    var epoch = Epoch.same

    /// Whether a change is one of the person's data, or follows a restored backup.
    enum Epoch: Sendable { case same, next }

    /// The facts about a device's request by which it is recognized.
    package struct Request: Hashable, Sendable {
        package var device: String
        package var key: String
        package var bodyHash: [UInt8]

        package init(device: String, key: String, bodyHash: [UInt8]) {
            self.device = device
            self.key = key
            self.bodyHash = bodyHash
        }
    }

    package init(request: Request? = nil, access: AccessRecord? = nil) {
        self.request = request
        self.access = access
    }
}

/// What a change answers, and what is kept of it.
package struct ChangeOutcome<Value: Sendable>: Sendable {
    package var value: Value
    /// The answer for a request that is repeated, as JSON without health values.
    package var answer: String
    /// The sender's position after the request; nil for formats without one.
    package var cursor: String?
    package var contact: DeviceContact?
    /// What was written and deleted, for the line of the log of accesses; nil if it isn't known.
    package var data: ChangedData?

    package init(
        _ value: Value, answer: String = "{}", cursor: String? = nil,
        contact: DeviceContact? = nil, data: ChangedData? = nil
    ) {
        self.value = value
        self.answer = answer
        self.cursor = cursor
        self.contact = contact
        self.data = data
    }
}

/// A person's store on this node: a copy that is built from the log, and through which changes go
/// into the log.
///
/// All work is done on one serial queue. A change is in the log before it is in the store's file,
/// so nothing is lost with the file.
final class PersonStore: Sendable {
    /// An open file. A file that doesn't fit the log is replaced by another one.
    final class Opened: Sendable {
        let store: SampleStore
        let path: String
        private let state: Mutex<LogHead>

        init(_ store: SampleStore, at path: String, _ head: LogHead) {
            (self.store, self.path) = (store, path)
            state = Mutex(head)
        }

        /// The entry whose state the file has.
        var head: LogHead {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// How often another node can be faster before a change is refused.
    static let maximumAttempts = 64
    /// How long entries stay in the log after a copy, in seconds.
    static let retention = 30 * 86_400.0

    let person: String
    /// The folder of the person's files.
    let folder: String
    let queue: DispatchQueue
    private let place: Mutex<People>
    private let state = Mutex<Opened?>(nil)
    /// The number of the last file.
    private let lastFile = Mutex(0)
    /// The bytes of the newest copy in the log, and of the entries after it.
    let tail = Mutex(LogTail())

    init(_ person: String, _ people: People, folder: String, _ target: DispatchQueue) {
        self.person = person
        place = Mutex(people)
        self.folder = folder
        queue = DispatchQueue(label: "org.openhealthkit.person", target: target)
    }

    /// The people with the person's log. After a move they are others, with the same log: so a file
    /// remains valid, and a call can begin with the ones and end with the others.
    var people: People {
        get { place.withLock { $0 } }
        set { place.withLock { $0 = newValue } }
    }

    /// The open file; nil for none.
    var opened: Opened? { state.withLock { $0 } }

    func setOpened(_ opened: Opened?) { state.withLock { $0 = opened } }

    /// Runs `body` on the person's queue.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    // MARK: - Changing

    private struct HeadMoved: Error {}
    /// Rolls the file back if only the receipt of a request was written: that is in the log.
    private struct NothingChanged<Value: Sendable>: Error { var value: Value }

    /// Tables whose rows alone are no change: receipts are in the log.
    private static let receiptTables: Set<String> = ["receipt"]

    /// Changes the store, and adds the change to the log. Call it on the queue.
    ///
    /// - Throws: ``PeopleError/notConfirmed`` if it is unknown whether the log has the change;
    ///   ``PeopleError/changedMeanwhile`` if other nodes were faster too often; ``SQLError``, `StoreError` and errors of `body`. Then
    ///   the file has nothing of it.
    func change<Value: Sendable>(
        _ change: PersonChange, at moment: Double,
        _ body: (SampleStore) throws -> ChangeOutcome<Value>
    ) throws -> Value {
        for _ in 0..<PersonStore.maximumAttempts {
            let opened = try catchUp()
            do {
                return try settle(change, at: moment, opened, body)
            } catch is HeadMoved { continue }
        }
        throw PeopleError.changedMeanwhile
    }

    private func settle<Value: Sendable>(
        _ change: PersonChange, at moment: Double, _ opened: Opened,
        _ body: (SampleStore) throws -> ChangeOutcome<Value>
    ) throws -> Value {
        let key = try people.keys.key(of: person)
        let (store, head) = (opened.store, opened.head)
        var attempt: (append: ChangeLog.Append, value: Value)?
        var committed: LogHead?
        do {
            let outcome = try store.recording {
                try body(store)
            } confirm: { recorded, outcome in
                let isChange = !recorded.tables.isSubset(of: PersonStore.receiptTables)
                let entry = try isChange ? self.entry(recorded.changeset, after: head, key) : nil
                let append = self.append(entry, change, outcome, head, at: moment)
                attempt = (append, outcome.value)
                guard
                    case .committed(let next) = try people.log.append(
                        append, to: person, after: head)
                else { throw HeadMoved() }
                guard isChange else { throw NothingChanged(value: outcome.value) }
                committed = next
                try store.setLogPosition(next.position)
            }
            if let committed { advance(opened, to: committed, attempt?.append.entry) }
            return outcome.value
        } catch let nothing as NothingChanged<Value> {
            return nothing.value
        } catch let error as SQLError where error.isTakenKey {
            // Another node has settled the same request.
            throw HeadMoved()
        } catch let error as SQLError where error.code == .unknownOutcome {
            guard let attempt, try isInLog(attempt.append) else { throw PeopleError.notConfirmed }
            return attempt.value
        } catch {
            // A damaged file is built again.
            if (error as? StoreError)?.code == .corrupt { discard() }
            // The log has the change. The file, which couldn't be written, is built again.
            guard committed != nil, let attempt else { throw error }
            discard()
            return attempt.value
        }
    }

    private func entry(
        _ changeset: [UInt8], after head: LogHead, _ key: PersonKey
    ) throws -> LogEntry {
        try LogEntry(
            .changeset, changeset, after: head, of: person, with: key,
            schema: SampleStore.schemaVersion)
    }

    private func append<Value: Sendable>(
        _ entry: LogEntry?, _ change: PersonChange, _ outcome: ChangeOutcome<Value>,
        _ head: LogHead, at moment: Double
    ) -> ChangeLog.Append {
        let receipt = change.request.map { request in
            LogReceipt(
                device: request.device, key: request.key, bodyHash: request.bodyHash,
                cursor: outcome.cursor, number: entry?.number ?? head.number,
                answer: outcome.answer)
        }
        var access = change.access
        if let data = outcome.data { access?.add(data) }
        return ChangeLog.Append(
            entry: entry, receipt: receipt, access: access, contact: outcome.contact,
            writtenAt: moment, epoch: change.epoch)
    }

    /// Returns whether an append whose answer was lost is in the log.
    private func isInLog(_ append: ChangeLog.Append) throws -> Bool {
        if let entry = append.entry {
            return try people.log.entry(entry.number, of: person)?.hash == entry.hash
        }
        guard let receipt = append.receipt else { return false }
        return try people.log.receipt(
            of: person, device: receipt.device, key: receipt.key)?.bodyHash == receipt.bodyHash
    }

    private func advance(_ opened: Opened, to head: LogHead, _ entry: LogEntry?) {
        opened.head = head
        tail.withLock { $0.entries += Int64(entry?.payload.count ?? 0) }
    }

    /// Whether the log needs a new copy of the store.
    var isSnapshotDue: Bool { tail.withLock { $0.isSnapshotDue } }

    // MARK: - Files

    /// Closes the file and removes it.
    func discard() {
        let path = opened?.path
        setOpened(nil)
        if let path { PersonFiles.remove(path) }
    }

    /// Returns the path of a new file. Each file of this object has a path of its own, since readers
    /// can have an earlier one open.
    func nextPath() throws(PeopleError) -> String {
        let last = try PersonFiles.lastNumber(in: folder)
        let number = lastFile.withLock { number in
            number = max(number, last) + 1
            return number
        }
        return "\(folder)/\(number).sqlite"
    }
}

/// How much of a person's log follows the newest copy of the store.
struct LogTail: Sendable {
    /// The bytes of the newest copy.
    var copy: Int64 = 0
    /// The bytes of the entries after it.
    var entries: Int64 = 0

    /// Whether applying the entries takes so long that a new copy is worth its bytes.
    var isSnapshotDue: Bool { entries > max(4 << 20, copy / 4) }
}

extension SQLError {
    /// Whether a row with the same key exists.
    fileprivate var isTakenKey: Bool {
        if case .uniqueViolation = code { return true }
        return false
    }
}
