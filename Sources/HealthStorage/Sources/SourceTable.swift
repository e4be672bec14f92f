import GRDB
import HealthEngine

/// All sources and origins of a store, read once per look at the file.
struct SourceTable {
    enum Kind: String {
        case health, watch, phone, pod, other

        /// What a person typed, then Apple's devices, then all others (Semantics §1.2).
        var group: Int {
            switch self {
            case .health: 0
            case .watch: 1
            case .phone: 2
            case .pod: 3
            case .other: 4
            }
        }
    }

    struct Entry {
        var id: Int64
        var identity: String?
        var source: Source
        var kind: Kind
        var hardware: String?
        var firstSeen: Double
    }

    struct Setting {
        var rank: Int?
        var excluded: Bool?
        var reason: String?
    }

    /// A state of the file as one connection sees it: another after every commit of another connection
    /// and every row that this one writes.
    struct Stamp: Hashable {
        private let connection: ObjectIdentifier
        private let version: Int
        private let changes: Int

        init(_ db: Database) throws {
            connection = ObjectIdentifier(db)
            version = try Int.readOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
            changes = db.totalChangesCount
        }
    }

    /// By index; batches read from the store number their sources this way.
    let entries: [Entry]
    let origins: [Origin]
    private let indexByID: [Int64: Int32]
    /// The batch's index of each stored origin, by its number; -1 where there is none.
    let originIndex: [Int32]
    /// Every name a source was ever met under, folded.
    let idByAlias: [String: Int64]

    init(_ db: Database) throws {
        var entries: [Entry] = []
        var indexByID: [Int64: Int32] = [:]
        let rows = try RawStatement(
            db,
            "SELECT id, identity, name, bundle_identifier, kind, hardware, first_seen FROM source ORDER BY id"
        )
        while try rows.step() {
            indexByID[rows.int(0)] = Int32(entries.count)
            entries.append(
                Entry(
                    id: rows.int(0), identity: rows.text(1),
                    source: Source(name: rows.text(2) ?? "", bundleIdentifier: rows.text(3) ?? ""),
                    kind: Kind(rawValue: rows.text(4) ?? "") ?? .other, hardware: rows.text(5),
                    firstSeen: rows.isNull(6) ? -.infinity : rows.double(6)))
        }
        self.entries = entries
        self.indexByID = indexByID
        (origins, originIndex) = try SourceTable.origins(db, indexByID)
        let aliases = try CheckedRow.readAll(db, sql: "SELECT folded, source FROM source_alias")
        idByAlias = Dictionary(
            try aliases.map { (try $0["folded"], try $0["source"]) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Origins are numbered from 1 on without gaps to speak of.
    private static let largestOrigin = 4_000_000

    private static func origins(
        _ db: Database, _ indexByID: [Int64: Int32]
    ) throws -> ([Origin], [Int32]) {
        let devices = try devices(db)
        var origins: [Origin] = []
        var index: [Int32] = []
        let rows = try RawStatement(
            db,
            "SELECT origin.id, source, version, device, unit.symbol, product_type, "
                + "operating_system, origin.unit FROM origin "
                + "LEFT JOIN unit ON unit.id = origin.unit ORDER BY origin.id")
        while try rows.step() {
            let id = Int(rows.int(0))
            guard (0...largestOrigin).contains(id) else {
                throw StoreError.damaged("origin.id, row \(id)")
            }
            while index.count <= id { index.append(-1) }
            index[id] = Int32(origins.count)
            func known<Value>(_ column: Int32, _ name: String, _ value: Value?) throws -> Value? {
                if value == nil, !rows.isNull(column) {
                    throw StoreError.damaged("origin.\(name), row \(id)")
                }
                return value
            }
            let source = try known(1, "source", rows.isNull(1) ? nil : indexByID[rows.int(1)])
            let device = try known(3, "device", rows.isNull(3) ? nil : devices[rows.int(3)])
            let unit = try known(7, "unit", rows.text(4))
            origins.append(
                Origin(
                    source: source ?? -1, version: rows.text(2), device: device, unit: unit,
                    productType: rows.text(5), operatingSystemVersion: rows.text(6)))
        }
        return (origins, index)
    }

    private static func devices(_ db: Database) throws -> [Int64: Device] {
        var devices: [Int64: Device] = [:]
        let rows = try RawStatement(
            db,
            "SELECT id, name, manufacturer, model, hardware, firmware, software, local_identifier, udi "
                + "FROM device")
        while try rows.step() {
            devices[rows.int(0)] = Device(
                name: rows.text(1), manufacturer: rows.text(2), model: rows.text(3),
                hardwareVersion: rows.text(4), firmwareVersion: rows.text(5),
                softwareVersion: rows.text(6), localIdentifier: rows.text(7),
                udiDeviceIdentifier: rows.text(8))
        }
        return devices
    }

    var sources: [Source] { entries.map(\.source) }

    func index(ofSource id: Int64) -> Int32? { indexByID[id] }

    /// The batch's index of a stored origin; -1 for a number the store doesn't know, as tombstones
    /// have it whose source an undo took along.
    func index(ofOrigin id: Int64) -> Int32 {
        id >= 0 && id < originIndex.count ? originIndex[Int(id)] : -1
    }

    /// The batch's index of a sample's origin.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` for a number the store doesn't know.
    @inline(__always)
    func index(ofSamplesOrigin id: Int64) throws -> Int32 {
        let index = index(ofOrigin: id)
        if index < 0 { throw StoreError.damaged("sample.origin, number \(id)") }
        return index
    }

    // MARK: - Order

    /// A person's choices for one type, by source number.
    static func settings(_ db: Database, type: Int32) throws -> [Int64: Setting] {
        var settings: [Int64: Setting] = [:]
        let rows = try CheckedRow.readAll(
            db, sql: "SELECT source, rank, excluded, reason FROM source_setting WHERE type = ?",
            arguments: [type])
        for row in rows {
            settings[try row["source"]] = Setting(
                rank: try row["rank"], excluded: try row["excluded"], reason: try row["reason"])
        }
        return settings
    }

    /// Source indices in HealthKit's documented default order (Semantics §1.2): typed by
    /// hand, Apple Watch, iPhone, iPod, then others; the newest first inside each group.
    var defaultOrder: [Int32] {
        entries.indices.sorted { left, right in
            let (a, b) = (entries[left], entries[right])
            if a.kind.group != b.kind.group { return a.kind.group < b.kind.group }
            if a.firstSeen != b.firstSeen { return a.firstSeen > b.firstSeen }
            return a.source.bundleIdentifier < b.source.bundleIdentifier
        }.map { Int32($0) }
    }

    /// The order in force for a type. A source that a stored list doesn't name comes where it belongs
    /// by default, but never above one that the list puts before what should precede it: a new app
    /// doesn't climb over the one a person has placed first.
    func order(_ settings: [Int64: Setting]) -> SourceOrder {
        let defaults = defaultOrder
        let listed = settings.compactMap { id, setting -> (rank: Int, index: Int32)? in
            guard let rank = setting.rank, let index = indexByID[id] else { return nil }
            return (rank, index)
        }
        var ranking = listed.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.index)
        if ranking.isEmpty {
            ranking = defaults
        } else {
            ranking = merging(defaults, into: ranking)
        }
        let excluded = settings.compactMap { id, setting in
            setting.excluded == true ? indexByID[id] : nil
        }
        return SourceOrder(ranking: ranking, excluded: Set(excluded))
    }

    /// Puts each source that a list doesn't name after every listed one that precedes it by default, and
    /// not above the first of its kind.
    ///
    /// - Complexity: O(sources · log sources).
    private func merging(_ defaults: [Int32], into listed: [Int32]) -> [Int32] {
        var place = [Int](repeating: 0, count: entries.count)
        for (position, index) in defaults.enumerated() { place[Int(index)] = position }
        var isListed = [Bool](repeating: false, count: entries.count)
        var firstOfKind: [Kind: Int] = [:]
        for (rank, index) in listed.enumerated() {
            isListed[Int(index)] = true
            let kind = entries[Int(index)].kind
            firstOfKind[kind] = firstOfKind[kind] ?? rank
        }
        let byDefault = listed.indices.sorted { place[Int(listed[$0])] < place[Int(listed[$1])] }
        var waiting = byDefault[...]
        // What comes before each listed one, and behind the last; later sources never come earlier.
        var gaps = [[Int32]](repeating: [], count: listed.count + 1)
        var gap = 0
        for missing in defaults where !isListed[Int(missing)] {
            while let next = waiting.first, place[Int(listed[next])] < place[Int(missing)] {
                gap = max(gap, next + 1)
                waiting.removeFirst()
            }
            gap = max(gap, firstOfKind[entries[Int(missing)].kind] ?? 0)
            gaps[gap].append(missing)
        }
        var ranking = gaps[0]
        for (rank, index) in listed.enumerated() { ranking += [index] + gaps[rank + 1] }
        return ranking
    }
}
