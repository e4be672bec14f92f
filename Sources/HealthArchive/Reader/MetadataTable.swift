import HealthEngine

/// The distinct metadata sets of one batch, and the number of records per time zone.
struct MetadataTable {
    private var interning = ByteInterning()
    private var zones: [String?] = []
    private(set) var sets: [Metadata] = []
    /// The number of records, correlations and workouts by the text of their `HKTimeZone`, normally
    /// an IANA time zone. Texts over 64 bytes, and new ones above 2,000, are ignored.
    private(set) var zoneCounts: [String: Int] = [:]
    /// The number of entries in the file that repeat a key of their element with another value.
    private(set) var repeatedKeys = 0
    private var repeats: [Int] = []
    /// The total size of the batch's distinct sets as text, in bytes.
    private(set) var byteCount = 0

    /// Returns the index in ``sets`` of the collected entries, or -1 if there are none, and clears
    /// the collector. Counts the time zone of the element.
    mutating func index(of entries: inout MetadataEntries) -> Int32 {
        if entries.bytes.isEmpty { return -1 }
        let (number, isNew) = entries.bytes.withUnsafeBufferPointer { interning.number($0) }
        if isNew {
            byteCount += entries.bytes.count
            let (set, repeated) = entries.typed
            sets.append(set)
            repeats.append(repeated)
            // No IANA time zone has a longer name.
            if case .string(let zone)? = set["HKTimeZone"], zone.utf8.count <= 64 {
                zones.append(zone)
            } else {
                zones.append(nil)
            }
        }
        if let zone = zones[number], zoneCounts[zone] != nil || zoneCounts.count < NameCounts.limit
        {
            zoneCounts[zone, default: 0] += 1
        }
        repeatedKeys += repeats[number]
        entries.removeAll()
        return Int32(number)
    }

    /// Counts the time zones of records that aren't read.
    mutating func count(_ zones: [String: Int]) {
        for (zone, count) in zones
        where zoneCounts[zone] != nil || zoneCounts.count < NameCounts.limit {
            zoneCounts[zone, default: 0] += count
        }
    }

    /// Returns the number of records by time zone since `earlier`, a value of ``zoneCounts``.
    func zoneCounts(since earlier: [String: Int]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for (zone, count) in zoneCounts where earlier[zone] != count {
            counts[zone] = count - (earlier[zone] ?? 0)
        }
        return counts
    }

    /// Returns the collected entries as a set that isn't in ``sets``, for an element that is part
    /// of a sample.
    mutating func set(of entries: MetadataEntries) -> Metadata {
        let (set, repeated) = entries.typed
        repeatedKeys += repeated
        return set
    }

    /// Begins the next batch. The counts of time zones and repeated keys stay.
    mutating func beginBatch() {
        byteCount = 0
        interning.removeAll()
        zones.removeAll(keepingCapacity: true)
        sets.removeAll(keepingCapacity: true)
        repeats.removeAll(keepingCapacity: true)
    }
}

/// The metadata entries of one element, collected as bytes. Each entry is its key, a unit separator
/// (0x1F), its value and a record separator (0x1E).
struct MetadataEntries {
    private static let unitSeparator: UInt8 = 0x1F
    private static let recordSeparator: UInt8 = 0x1E

    private(set) var bytes: [UInt8] = []

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Adds `<MetadataEntry key="…" value="…"/>`. Without a value, the empty string is added.
    /// Without a key, nothing is added and the result is false.
    mutating func add(_ tag: ElementScanner.Tag) -> Bool {
        var key: ElementScanner.Attribute?
        var value: ElementScanner.Attribute?
        for attribute in tag.attributes {
            if attribute.name.equals("key") { key = key ?? attribute }
            if attribute.name.equals("value") { value = value ?? attribute }
        }
        guard let key else { return false }
        append(key)
        bytes.append(MetadataEntries.unitSeparator)
        if let value { append(value) }
        bytes.append(MetadataEntries.recordSeparator)
        return true
    }

    /// Adds an attribute in place of an entry, the form of metadata in iOS 8.
    mutating func add(attribute: ElementScanner.Attribute) {
        bytes.append(contentsOf: attribute.nameString.utf8)
        bytes.append(MetadataEntries.unitSeparator)
        append(attribute)
        bytes.append(MetadataEntries.recordSeparator)
    }

    /// Adds an entry that has no element or attribute in the export.
    mutating func add(_ key: String, _ value: String) {
        bytes.append(contentsOf: key.utf8)
        bytes.append(MetadataEntries.unitSeparator)
        bytes.append(contentsOf: value.utf8)
        bytes.append(MetadataEntries.recordSeparator)
    }

    /// Appends an attribute's text. Decoding removes control characters, so the separators are
    /// unambiguous.
    private mutating func append(_ attribute: ElementScanner.Attribute) {
        if attribute.needsDecoding {
            bytes.append(contentsOf: attribute.string.utf8)
        } else {
            bytes.append(contentsOf: attribute.value)
        }
    }

    /// The entries with typed values, and the number of entries that repeat a key with another
    /// value. The first value of a key counts.
    var typed: (set: Metadata, repeated: Int) {
        var set: Metadata = [:]
        var repeated = 0
        for record in bytes.split(separator: MetadataEntries.recordSeparator) {
            let parts = record.split(
                separator: MetadataEntries.unitSeparator, maxSplits: 1,
                omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let key = String(decoding: parts[0], as: UTF8.self)
            let value = MetadataText.value(String(decoding: parts[1], as: UTF8.self), forKey: key)
            if let first = set[key] {
                repeated += first == value ? 0 : 1
            } else {
                set[key] = value
            }
        }
        return (set, repeated)
    }
}
