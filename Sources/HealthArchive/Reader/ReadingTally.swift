/// Counts made while a file is read: its elements, repairs, unknown content, and what was
/// quarantined or lost.
struct ReadingTally: Equatable {
    /// Elements by name, at any depth, except `Record` and `MetadataEntry`, which occur by the
    /// million and are counted in the next two properties.
    var elements = NameCounts()
    var records = 0
    var metadataEntries = 0
    var repairs: [String: Int] = [:]
    var unknownElements = NameCounts()
    /// Unknown attributes, as "Element.attribute".
    var unknownAttributes = NameCounts()
    var unknownTypes = NameCounts()
    /// Unknown units, known ones that don't fit their type, and "(none)" for quantities without a
    /// unit.
    var unknownUnits = NameCounts()
    /// Unknown names of category values, activities and events, and "(none)" for missing category
    /// values.
    var unknownValues = NameCounts()
    /// The number of known elements, by name, that are kept as text because this version doesn't
    /// read them.
    var untyped: [String: Int] = [:]
    /// The number of quarantined elements by reason.
    var quarantined: [String: Int] = [:]
    /// The number of elements by name that the end of the file truncated, and of the complete
    /// records inside them. None of these is imported.
    var truncatedElements: [String: Int] = [:]
    /// The number of activity summaries that a later one of the same day replaced.
    var superseded = 0
    /// The positions of the first twenty quarantined elements.
    var quarantineLocations: [ImportReport.QuarantineLocation] = []
    /// The number of positions where damage or a limit lost an element, a part of one, its start or
    /// its end; and the offset of the first such position.
    var lost = 0
    var firstLoss: Int64?
    var routes = RouteTally()
    var files = CompanionTally()
    /// The byte offset at which the file was truncated; nil if it was not. For a file without any
    /// element, its end.
    var truncatedAt: Int64?

    /// The number of all elements by name, including `Record` and `MetadataEntry`.
    var elementCounts: [String: Int] {
        var counts = elements.counts
        if records > 0 { counts["Record"] = records }
        if metadataEntries > 0 { counts["MetadataEntry"] = metadataEntries }
        return counts
    }

    /// The maximum number of positions in ``quarantineLocations``.
    private static let maximumLocations = 20

    mutating func quarantine(_ reason: String, _ element: String, at offset: Int64) {
        quarantined[reason, default: 0] += 1
        if quarantineLocations.count < ReadingTally.maximumLocations {
            quarantineLocations.append(.init(offset: offset, element: element, reason: reason))
        }
    }

    /// Counts a truncated element and the complete records in it, which are dropped as well.
    mutating func countTruncated(_ element: String, records: Int = 0) {
        truncatedElements[element, default: 0] += 1
        if records > 0 { truncatedElements["Record", default: 0] += records }
    }

    /// The elements inside records that chunks of records may have (``RecordChunks``), apart from
    /// metadata entries.
    private static let recordParts: Set<String> = [
        "HeartRateVariabilityMetadataList", "InstantaneousBeatsPerMinute",
    ]

    /// Returns the parts of records by element that were counted since `other`; nil if anything was
    /// counted besides records and their parts.
    func recordParts(since other: ReadingTally) -> [String: Int]? {
        var rest = other
        rest.records = records
        rest.metadataEntries = metadataEntries
        rest.elements = elements
        guard self == rest else { return nil }
        if elements == other.elements { return [:] }
        let before = other.elements.counts
        let counts = elements.counts.filter { before[$0.key] != $0.value }
        guard counts.keys.allSatisfy(ReadingTally.recordParts.contains) else { return nil }
        return Dictionary(
            counts.map { ($0.key, $0.value - (before[$0.key] ?? 0)) },
            uniquingKeysWith: { first, _ in first })
    }

    mutating func recordLoss(at offset: Int64) {
        lost += 1
        firstLoss = firstLoss ?? offset
    }
}

/// Counts of names in bounded memory, since a hostile file can contain any number of names.
///
/// ```swift
/// var counts = NameCounts()
/// counts.add("Halo")
/// counts.counts   // ["Halo": 1]
/// ```
struct NameCounts: Equatable {
    /// The maximum number of distinct names. Later ones are counted together as ``others``.
    static let limit = 2000
    /// The maximum bytes of a name. Longer ones are truncated and end with "…".
    static let maximumNameLength = 200
    static let others = "(others)"

    private var named: [String: Int] = [:]
    /// Names counted by their bytes, so that a repeated name allocates no string.
    private var numbers = ByteInterning()
    private var numbered: [(name: String, count: Int)] = []

    static func == (a: NameCounts, b: NameCounts) -> Bool {
        a.named == b.named && a.numbered.elementsEqual(b.numbered, by: ==)
    }

    var counts: [String: Int] {
        var all = self
        for (name, count) in numbered { all.add(name, count) }
        return all.named
    }

    var isEmpty: Bool { named.isEmpty && numbered.isEmpty }

    /// Counts a name by its bytes in the file.
    mutating func add(_ name: UnsafeBufferPointer<UInt8>) {
        guard name.count <= NameCounts.maximumNameLength, numbered.count < NameCounts.limit else {
            return add(TextRepair.string(name, .verbatim))
        }
        let (number, isNew) = numbers.number(name)
        if isNew { numbered.append((TextRepair.string(name, .verbatim), 0)) }
        numbered[number].count += 1
    }

    mutating func add(_ name: String, _ count: Int = 1) {
        if named[name] != nil {
            named[name, default: 0] += count
            return
        }
        var name = name
        if name.utf8.count > NameCounts.maximumNameLength {
            name =
                String(decoding: name.utf8.prefix(NameCounts.maximumNameLength), as: UTF8.self)
                + "…"
        }
        let isKnown = named[name] != nil || named.count < NameCounts.limit
        named[isKnown ? name : NameCounts.others, default: 0] += count
    }

    subscript(name: String) -> Int { counts[name] ?? 0 }
}
