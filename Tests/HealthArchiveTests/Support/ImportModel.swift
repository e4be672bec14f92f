/// The importer's rules on plain lists, written as literally as possible: Semantics §14.1 and
/// §14.3.
struct ImportModel {
    /// The values that identify a record, except for its number among equal ones.
    struct Identity: Hashable {
        var type: Int
        var start: Int
        var end: Int
        var created: Int
        var source: Int
    }

    struct Content: Hashable {
        var value: Int
        var note: String?
    }

    struct Counts: Equatable {
        var new = 0
        var unchanged = 0
        var changed = 0
        var vanished = 0
        var notApplied = 0
    }

    enum Extent { case snapshot, addition }

    private(set) var live: [Identity: [Int: Content]] = [:]
    private var removed: [Identity: Set<Int>] = [:]
    /// The sources in the order they were first seen, by every name they have had.
    private(set) var sources: [String: Int] = [:]
    /// The first name of each source.
    private(set) var firstNames: [String] = []
    private var latestComplete: Int?
    private var latestPartial: Int?

    mutating func apply(_ export: GeneratedExport) -> Counts {
        let isLater =
            export.date > latestComplete ?? .min && export.date >= latestPartial ?? .min
        let extent: Extent = export.readableCount == nil && isLater ? .snapshot : .addition
        name(export.readable, isLater: isLater)
        if export.readableCount == nil {
            latestComplete = max(latestComplete ?? .min, export.date)
        } else {
            latestPartial = max(latestPartial ?? .min, export.date)
        }
        var groups: [Identity: [Content]] = [:]
        for record in export.readable {
            groups[identity(record), default: []].append(
                Content(value: record.value, note: record.note))
        }
        var counts = Counts()
        for (identity, contents) in groups {
            let sorted = contents.sorted { ($0.value, $0.note ?? "") < ($1.value, $1.note ?? "") }
            switch extent {
            case .snapshot: applySnapshot(identity, sorted, &counts)
            case .addition: add(identity, sorted, &counts)
            }
        }
        if extent == .snapshot { removeAbsent(groups.mapValues(\.count), &counts) }
        return counts
    }

    private func identity(_ record: GeneratedRecord) -> Identity {
        Identity(
            type: record.type, start: record.start, end: record.end, created: record.created,
            source: sources[record.source] ?? -1)
    }

    private mutating func applySnapshot(
        _ identity: Identity, _ file: [Content], _ counts: inout Counts
    ) {
        for (number, content) in file.enumerated() {
            switch live[identity]?[number] {
            case content?: counts.unchanged += 1
            case nil: counts.new += 1
            default: counts.changed += 1
            }
            live[identity, default: [:]][number] = content
        }
    }

    private mutating func removeAbsent(_ sizes: [Identity: Int], _ counts: inout Counts) {
        for (identity, numbers) in live {
            for number in numbers.keys where number >= sizes[identity] ?? 0 {
                counts.vanished += 1
                live[identity]?[number] = nil
                removed[identity, default: []].insert(number)
            }
        }
    }

    /// Adds the file's records of one identity. Existing records count once; additional ones are
    /// new.
    private mutating func add(_ identity: Identity, _ file: [Content], _ counts: inout Counts) {
        var free = (live[identity] ?? [:]).map(\.value)
        var next = (live[identity]?.keys.max() ?? -1) + 1
        var unmatched: [Content] = []
        for content in file {
            if let index = free.firstIndex(of: content) {
                free.remove(at: index)
                counts.unchanged += 1
            } else {
                unmatched.append(content)
            }
        }
        for content in unmatched {
            if free.popLast() != nil {
                counts.unchanged += 1
                counts.notApplied += 1
                continue
            }
            if removed[identity]?.contains(next) == true {
                counts.unchanged += 1
                counts.notApplied += 1
            } else {
                live[identity, default: [:]][next] = content
                counts.new += 1
            }
            next += 1
        }
    }

    // MARK: - Sources

    private struct RecordTimes: Hashable {
        var type: Int
        var start: Int
        var end: Int
        var created: Int

        init(_ identity: Identity) {
            (type, start) = (identity.type, identity.start)
            (end, created) = (identity.end, identity.created)
        }

        init(_ record: GeneratedRecord) {
            (type, start) = (record.type, record.start)
            (end, created) = (record.end, record.created)
        }
    }

    /// Returns whether more than half of the records reappear.
    private static func reappear(_ records: [RecordTimes], in others: [RecordTimes]) -> Bool {
        records.count { others.contains($0) } * 2 > records.count
    }

    /// Assigns a source to every name in a file: a known one, one whose records reappear under the
    /// name, or a new one.
    private mutating func name(_ records: [GeneratedRecord], isLater: Bool) {
        var fresh: [String] = []
        for record in records where sources[record.source] == nil && !fresh.contains(record.source)
        {
            fresh.append(record.source)
        }
        let seen = Set(records.compactMap { sources[$0.source] })
        for old in Set(sources.values).subtracting(seen).sorted() {
            let before = live.filter { $0.key.source == old }.flatMap { identity, numbers in
                numbers.map { _ in RecordTimes(identity) }
            }
            let match = fresh.first { name in
                let now = records.filter { $0.source == name }.map { RecordTimes($0) }
                return !before.isEmpty && ImportModel.reappear(before, in: now)
                    || !isLater && !before.isEmpty && ImportModel.reappear(now, in: before)
            }
            if let match {
                sources[match] = old
                fresh.removeAll { $0 == match }
            }
        }
        for name in fresh {
            sources[name] = firstNames.count
            firstNames.append(name)
        }
    }
}
