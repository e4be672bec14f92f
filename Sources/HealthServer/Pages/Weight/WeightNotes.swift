import Foundation
import HealthDashboard
import HealthEngine
import HealthSync
import Synchronization

/// Notes and tags on weights, read from the mirror: the file in which the weight diary of
/// `HealthSync` keeps them beside the store.
///
/// The file is looked up for each request, because it may be created, deleted or replaced while the
/// server runs. A missing file is not created. If the file can't be read, only the notes are
/// missing on the page.
final class WeightNotes: Sendable {
    /// The result of reading the notes.
    struct LoadedNotes: Sendable {
        var notes: [WeightPage.Note] = []
        /// Why the notes can't be read, without their contents; nil if they were read or there is
        /// no file.
        var problem: String?
    }

    private struct OpenMirror {
        var mirror: Mirror
        /// The inode number of the file.
        var file: Int
    }

    private struct CachedNotes {
        var stamp: Int
        var range: DateInterval
        var notes: [WeightPage.Note]
    }

    private struct State {
        var opened: OpenMirror?
        var cached: CachedNotes?
    }

    private let file: URL
    private let state = Mutex(State())

    init(at file: URL) {
        self.file = file
        // Opening the mirror writes to its log, so open it before the stamp is first read.
        _ = try? mirror()
    }

    /// A number that changes when a note does, and with any other write to the mirror.
    ///
    /// - Complexity: O(1). Reads the attributes of two files without opening them.
    var stamp: Int {
        var hash = FNV1a()
        // Readers create and remove an empty write-ahead log, so an empty file is left out.
        for path in [file.path, file.path + "-wal"] {
            guard let facts = FileMetadata(path), facts.size > 0 else { continue }
            for number in [facts.number, facts.size, Int(clamping: facts.modified * 1e6)] {
                hash.add(word: UInt64(bitPattern: Int64(number)))
            }
        }
        // At most 62 bits, so that the number isn't negative.
        return Int(truncatingIfNeeded: hash.value >> 2)
    }

    /// Returns the notes on weights that begin in a half-open range, newest first.
    ///
    /// - Complexity: O(1) if nothing has changed since the last call for the range, else O(*w*) in
    ///   the weights in the range.
    func load(in range: DateInterval) async -> LoadedNotes {
        let stamp = stamp
        let cached = state.withLock { $0.cached }
        if let cached, cached.stamp == stamp, cached.range == range {
            return LoadedNotes(notes: cached.notes)
        }
        do {
            guard let mirror = try mirror() else { return LoadedNotes() }
            let notes = try await notes(of: mirror, in: range)
            state.withLock { $0.cached = CachedNotes(stamp: stamp, range: range, notes: notes) }
            return LoadedNotes(notes: notes)
        } catch {
            state.withLock { $0 = State() }
            return LoadedNotes(problem: WeightNotes.sentence(error))
        }
    }

    private func mirror() throws -> Mirror? {
        try state.withLock { state in
            guard let facts = FileMetadata(file.path), facts.size > 0 else {
                state = State()
                return nil
            }
            if let opened = state.opened, opened.file == facts.number { return opened.mirror }
            state = State()
            let mirror = try Mirror(at: file)
            state.opened = OpenMirror(mirror: mirror, file: facts.number)
            return mirror
        }
    }

    private func notes(
        of mirror: Mirror, in range: DateInterval
    ) async throws -> [WeightPage.Note] {
        var request = EntryRequest()
        request.types = [Metric.weight.identifier]
        (request.from, request.to) = (range.start, range.end)
        request.rule = .starting
        let entries = try await mirror.entries(request)
        let attachments = try await mirror.attachments(of: entries.map(\.id))
        return entries.compactMap { entry in
            guard let beside = attachments[entry.id] else { return nil }
            var (texts, tags): ([String], [String]) = ([], [])
            for attachment in beside {
                switch attachment.content {
                case .note(let text): texts.append(text)
                case .tag(let tag): tags.append(tag)
                case .photo, .number: break
                }
            }
            if texts.isEmpty && tags.isEmpty { return nil }
            return WeightPage.Note(
                date: entry.start, text: texts.joined(separator: " · "), tags: tags.sorted(),
                value: entry.value(in: "kg"))
        }
    }

    private static func sentence(_ error: any Error) -> String {
        let why =
            switch error {
            case SyncError.foreignFile, MirrorError.corrupt: "their file is damaged"
            case SyncError.newerFile: "their file was written by a newer version"
            case MirrorError.busy: "another program is writing to their file"
            case MirrorError.unavailable: "reading their file is not permitted"
            default: "their file reports an error"
            }
        return "Notes and tags can’t be shown: \(why). The weights are complete."
    }
}

/// A file's attributes, read without opening it: closing a file would release SQLite's locks on it.
private struct FileMetadata {
    var number: Int
    var size: Int
    var modified: Double

    init?(_ path: String) {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
            facts[.type] as? FileAttributeType == .typeRegular
        else { return nil }
        number = FileMetadata.number(facts[.systemFileNumber])
        size = FileMetadata.number(facts[.size])
        modified = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
    }

    /// Converts an attribute to an integer. Its type differs between platforms.
    private static func number(_ fact: Any?) -> Int {
        if let number = fact as? NSNumber { return number.intValue }
        return (fact as? any BinaryInteger).map { Int(clamping: $0) } ?? 0
    }
}
