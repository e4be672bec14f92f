import Foundation
import HealthArchive
import HealthStorage
import Synchronization

/// The imports that pages start into one store: at most one upload, import or undo at a time.
///
/// They run on a thread of their own, because they block for minutes. The lock of imports keeps
/// those of other processes apart.
final class PageImports: Sendable {
    /// What has changed in the store.
    enum Change: Hashable, Sendable { case imported, undone }

    /// An upload or an import, which can be cancelled.
    final class Attempt: Sendable {
        private let cancelled = Atomic<Bool>(false)

        var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

        func cancel() { cancelled.store(true, ordering: .relaxed) }
    }

    private struct Current {
        var state = ImportState.idle
        var progress = ImportProgress()
        var attempt: Attempt?
    }

    /// The path of the store, which need not exist.
    let store: String
    let limits: UploadLimits
    /// Called after each import and undo, before its result is shown.
    private let changed: @Sendable (Change) async -> Void
    private let current = Mutex(Current())
    /// For imports and undos.
    private let importing = BlockingWork("import", .serial)
    /// For writing files.
    let spooling = BlockingWork("upload", .concurrent)

    /// - Parameters:
    ///   - store: The path of the store, which need not exist.
    ///   - limits: The limits on uploads.
    ///   - changed: Called after each import and undo, before its result is shown.
    init(
        into store: String, limits: UploadLimits,
        changed: @escaping @Sendable (Change) async -> Void
    ) {
        self.store = store
        self.limits = limits
        self.changed = changed
    }

    /// The state and the progress at one moment.
    var status: (state: ImportState, progress: ImportProgress) {
        current.withLock { ($0.state, $0.progress) }
    }

    // MARK: - Upload

    /// Begins an upload. A file that waits for a decision is removed.
    ///
    /// - Parameter size: The bytes of the request.
    /// - Returns: The attempt, and the file to write to.
    /// - Throws: ``UploadRefusal`` if the file is too large, the disk too full, or another import
    ///   runs; `StoreError` if the file can't be created.
    func begin(size: Int) async throws -> (attempt: Attempt, file: UploadedExport) {
        let attempt = Attempt()
        try reserve(attempt, .receiving)
        current.withLock { $0.progress.total = Int64(size) }
        do {
            // A form adds a few hundred bytes to the file.
            guard size <= limits.bytes + 16_384 else {
                throw UploadRefusal.tooLarge(limit: limits.bytes)
            }
            let (store, limits) = (store, limits)
            let upload = try await spooling.run {
                guard !SampleStore.isBeingImported(into: store) else {
                    throw UploadRefusal.busyElsewhere
                }
                return try UploadedExport(beside: store, size: size, limits)
            }
            return (attempt, upload)
        } catch {
            end(attempt, error)
            throw error
        }
    }

    /// Records bytes of an upload.
    func note(received count: Int64) { current.withLock { $0.progress.done = count } }

    /// Ends an upload that failed.
    func end(_ attempt: Attempt, _ error: any Error) {
        settle(attempt, .failed(ImportFailureText.sentence(error, at: nil)))
    }

    // MARK: - Import

    /// Imports an uploaded file in the background.
    func start(_ upload: UploadedExport, _ attempt: Attempt) {
        current.withLock { current in
            guard current.attempt === attempt else { return }
            (current.state, current.progress) = (.importing, ImportProgress())
        }
        Task { await run(upload, .unconfirmed, attempt) }
    }

    /// Imports the file that waits for a decision in the background: it is the same person's.
    ///
    /// - Throws: ``UploadRefusal`` if another import runs; ``PageError`` if no file waits.
    func confirm() throws {
        let attempt = Attempt()
        let upload = try current.withLock { current throws -> UploadedExport in
            if current.state.isBusy { throw UploadRefusal.busy }
            guard case .asking(let upload, _) = current.state else {
                throw PageError.badRequest("No export waits for a decision.")
            }
            current = Current(state: .importing, attempt: attempt)
            return upload
        }
        Task { await run(upload, .confirmed, attempt) }
    }

    /// Cancels the upload or import that is in progress, and removes a file that waits for a
    /// decision.
    func cancel() {
        current.withLock { current in
            current.attempt?.cancel()
            if case .asking = current.state {
                current.state = .failed(UploadRefusal.cancelled.sentence)
            }
        }
    }

    private func run(
        _ upload: UploadedExport, _ person: ExportImporter.PersonConfirmation, _ attempt: Attempt
    ) async {
        var importer = ExportImporter(
            path: upload.path, store: store, systemTimeZone: TimeZone.current.identifier,
            now: Date.now.timeIntervalSinceReferenceDate, person: person,
            progress: { [self] done, total in
                current.withLock { ($0.progress.done, $0.progress.total) = (done, total) }
            },
            isCancelled: { attempt.isCancelled })
        importer.name = ImportFailureText.fileName
        importer.samplesRead = { [self] count in
            current.withLock { $0.progress.samples = count }
        }
        let state: ImportState
        do {
            let report = try await importing.run { [importer] in try importer.run() }
            await changed(.imported)
            state = .finished(report)
        } catch let mismatch as PersonMismatch {
            state =
                attempt.isCancelled
                ? .failed(UploadRefusal.cancelled.sentence)
                : .asking(upload, mismatch)
        } catch {
            state = .failed(ImportFailureText.sentence(error, at: upload.path))
        }
        settle(attempt, state)
    }

    // MARK: - Undo

    /// Undoes the newest import, and returns when that is done or has failed, which the state says.
    ///
    /// - Parameter number: The import's number.
    /// - Throws: ``UploadRefusal`` if an import runs.
    func undo(_ number: Int64) async throws {
        let attempt = Attempt()
        try reserve(attempt, .undoing)
        let state: ImportState
        do {
            let outcome = try await importing.run { [path = store] in
                let store = try SampleStore(at: path, access: .writing)
                // The undo is committed or rolled back, so an error of close loses nothing.
                defer { try? store.close() }
                return try store.undoImport(number)
            }
            await changed(.undone)
            state = .undone(number, outcome)
        } catch {
            state = .failed(ImportFailureText.sentence(error, at: nil))
        }
        settle(attempt, state)
    }

    // MARK: - State

    private func reserve(_ attempt: Attempt, _ state: ImportState) throws(UploadRefusal) {
        let isFree = current.withLock { current in
            if current.state.isBusy { return false }
            current = Current(state: state, attempt: attempt)
            return true
        }
        if !isFree { throw .busy }
    }

    private func settle(_ attempt: Attempt, _ state: ImportState) {
        current.withLock { current in
            guard current.attempt === attempt else { return }
            (current.state, current.attempt) = (state, nil)
        }
    }
}
