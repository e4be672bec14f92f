import Foundation
import HealthDashboard
import HealthEngine
import HealthSync
import Synchronization

/// Notes and tags that a person wrote beside weights, read from the file of a mirror.
///
/// The file is looked for each time: it may come after the server, go, or be another one. One that is
/// missing is not made, and one that can't be read costs the notes alone.
final class WeightNotes: Sendable {
    /// What there is to show.
    struct Found: Sendable {
        var notes: [WeightPage.Note] = []
        /// Why there are none: a sentence without what stands in them.
        var problem: String?
    }

    private struct Opened {
        var mirror: Mirror
        /// Which file it is, whatever its name.
        var file: Int
    }

    private struct Kept {
        var stamp: Int
        var range: DateInterval
        var notes: [WeightPage.Note]
    }

    private struct State {
        var opened: Opened?
        var kept: Kept?
    }

    private let file: URL
    private let state = Mutex(State())

    init(at file: URL) {
        self.file = file
        // Opened before the first look at its stamp: opening writes to the log.
        _ = try? mirror()
    }

    /// A number that changes when a note does.
    ///
    /// - Complexity: O(1): looks at two files' facts, and opens neither.
    var stamp: Int {
        var hasher = FowlerNoll()
        // A log without anything in it comes and goes with those who read.
        for path in [file.path, file.path + "-wal"] {
            guard let facts = FileFacts(path), facts.size > 0 else { continue }
            hasher.add(facts.number)
            hasher.add(facts.size)
            hasher.add(Int(clamping: facts.modified * 1e6))
        }
        return hasher.value
    }

    /// The notes on weights that begin in a range, the newest first.
    ///
    /// - Complexity: O(weights in the range) after a change, else O(notes).
    func found(in range: DateInterval) async -> Found {
        let stamp = stamp
        let kept = state.withLock { $0.kept }
        if let kept, kept.stamp == stamp, kept.range == range { return Found(notes: kept.notes) }
        do {
            guard let mirror = try mirror() else { return Found() }
            let notes = try await notes(of: mirror, in: range)
            state.withLock { $0.kept = Kept(stamp: stamp, range: range, notes: notes) }
            return Found(notes: notes)
        } catch {
            state.withLock { $0 = State() }
            return Found(problem: WeightNotes.sentence(error))
        }
    }

    private func mirror() throws -> Mirror? {
        try state.withLock { state in
            guard let facts = FileFacts(file.path), facts.size > 0 else {
                state = State()
                return nil
            }
            if let opened = state.opened, opened.file == facts.number { return opened.mirror }
            state = State()
            let mirror = try Mirror(at: file)
            state.opened = Opened(mirror: mirror, file: facts.number)
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
                date: entry.start, text: texts.joined(separator: " · "), tags: tags,
                value: entry.value(in: "kg"))
        }
    }

    private static func sentence(_ error: any Error) -> String {
        let why =
            switch error {
            case SyncError.foreignFile, MirrorError.corrupt: "the file that holds them is damaged"
            case SyncError.newerFile: "a newer version of openhealth wrote the file that holds them"
            case MirrorError.busy: "another program is writing them just now"
            case MirrorError.unavailable: "the file that holds them may not be read"
            default: "the file that holds them doesn’t answer"
            }
        return "Notes and tags can’t be shown: \(why). The weights are all here."
    }
}

/// What the file system knows of a file, without opening it: who closes a file lets go of SQLite's
/// locks on it.
private struct FileFacts {
    var number: Int
    var size: Int
    var modified: Double

    init?(_ path: String) {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
            facts[.type] as? FileAttributeType == .typeRegular
        else { return nil }
        number = FileFacts.number(facts[.systemFileNumber])
        size = FileFacts.number(facts[.size])
        modified = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
    }

    /// Systems give these numbers as different types.
    private static func number(_ fact: Any?) -> Int {
        if let number = fact as? NSNumber { return number.intValue }
        return (fact as? any BinaryInteger).map { Int(clamping: $0) } ?? 0
    }
}

/// A number for several, the same in every process (FNV-1a).
private struct FowlerNoll {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ number: Int) {
        state = (state ^ UInt64(bitPattern: Int64(number))) &* 0x100_0000_01B3
    }

    /// Not below zero.
    var value: Int { Int(truncatingIfNeeded: state >> 2) }
}

extension Entry {
    /// The entry's quantity in another unit; nil for what is no quantity, or one of another kind: an
    /// export's weight may be in beats a minute.
    package func value(in symbol: String) -> Double? {
        guard case .quantity(let value, let own) = content,
            let unit = try? HealthUnit(own), let wanted = try? HealthUnit(symbol),
            let conversion = try? unit.conversion(to: wanted)
        else { return nil }
        let converted = conversion(value)
        return converted.isFinite ? converted : nil
    }
}
