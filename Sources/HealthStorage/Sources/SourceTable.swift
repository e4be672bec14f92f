import GRDB
import HealthEngine

/// All sources and origins of a store, read from one state of the file.
struct SourceTable {
    enum Kind: String {
        case health, watch, phone, pod, other

        /// The rank of the kind in the default order: entered manually, Apple Watch, iPhone, iPod,
        /// others (Semantics §1.2).
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

    /// The version of the file as one connection sees it. It changes with every commit of another
    /// connection and every row that this one writes.
    struct FileVersion: Hashable {
        private let connection: ObjectIdentifier
        private let version: Int
        private let changes: Int

        init(_ db: Database) throws {
            connection = ObjectIdentifier(db)
            version = try Int.readOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
            changes = db.totalChangesCount
        }
    }

    /// The sources, in order of id. Batches that are read from the store use these indices.
    let entries: [Entry]
    let origins: [Origin]
    private let indexByID: [Int64: Int32]
    /// The index in ``origins`` of each stored origin, by its id; -1 for a missing one.
    let originIndex: [Int32]
    /// The ids of imported sources, by every folded name that the source has had.
    let idByAlias: [String: Int64]

    private enum SourceColumn: Int32, StatementField {
        case id, identity, name, bundleIdentifier, kind, hardware, firstSeen
    }

    init(_ db: Database) throws {
        var entries: [Entry] = []
        var indexByID: [Int64: Int32] = [:]
        let rows = try StoreStatement<NoFields, SourceColumn>(
            kept: db, "SELECT \(SourceColumn.columns) FROM source ORDER BY id")
        while try rows.step() {
            indexByID[rows.int(.id)] = Int32(entries.count)
            entries.append(
                Entry(
                    id: rows.int(.id), identity: try rows.text(.identity),
                    source: Source(
                        name: try rows.text(.name) ?? "",
                        bundleIdentifier: try rows.text(.bundleIdentifier) ?? ""),
                    kind: Kind(rawValue: try rows.text(.kind) ?? "") ?? .other,
                    hardware: try rows.text(.hardware),
                    firstSeen: rows.isNull(.firstSeen) ? -.infinity : rows.double(.firstSeen)))
        }
        self.entries = entries
        self.indexByID = indexByID
        (origins, originIndex) = try SourceTable.origins(db, indexByID)
        let aliases = try CheckedRow.readAll(db, sql: "SELECT folded, source FROM source_alias")
        idByAlias = Dictionary(
            try aliases.map { (try $0["folded"], try $0["source"]) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The largest accepted origin id, which bounds the memory of ``originIndex``. Ids are assigned
    /// from 1 almost without gaps.
    private static let largestOrigin = 4_000_000

    private enum OriginColumn: Int32, StatementField {
        case id, source, version, device, symbol, productType, operatingSystem, unit

        var sql: String {
            switch self {
            case .id: "origin.id"
            case .source: "source"
            case .version: "version"
            case .device: "device"
            case .symbol: "unit.symbol"
            case .productType: "product_type"
            case .operatingSystem: "operating_system"
            case .unit: "origin.unit"
            }
        }
    }

    private static func origins(
        _ db: Database, _ indexByID: [Int64: Int32]
    ) throws -> ([Origin], [Int32]) {
        let devices = try devices(db)
        var origins: [Origin] = []
        var index: [Int32] = []
        let rows = try StoreStatement<NoFields, OriginColumn>(
            kept: db,
            "SELECT \(OriginColumn.columns) FROM origin "
                + "LEFT JOIN unit ON unit.id = origin.unit ORDER BY origin.id")
        while try rows.step() {
            let id = Int(rows.int(.id))
            guard (0...largestOrigin).contains(id) else {
                throw StoreError.damaged("origin.id, row \(id)")
            }
            while index.count <= id { index.append(-1) }
            index[id] = Int32(origins.count)
            func known<Value>(_ column: OriginColumn, _ value: Value?) throws -> Value? {
                if value == nil, !rows.isNull(column) {
                    throw StoreError.damaged("origin.\(String(describing: column)), row \(id)")
                }
                return value
            }
            let source = try known(
                .source, rows.isNull(.source) ? nil : indexByID[rows.int(.source)])
            let device = try known(
                .device, rows.isNull(.device) ? nil : devices[rows.int(.device)])
            let unit = try known(.unit, try rows.text(.symbol))
            origins.append(
                Origin(
                    source: source ?? -1, version: try rows.text(.version), device: device,
                    unit: unit, productType: try rows.text(.productType),
                    operatingSystemVersion: try rows.text(.operatingSystem)))
        }
        return (origins, index)
    }

    private enum DeviceColumn: Int32, StatementField {
        case id, name, manufacturer, model, hardware, firmware, software, localIdentifier, udi
    }

    private static func devices(_ db: Database) throws -> [Int64: Device] {
        var devices: [Int64: Device] = [:]
        let rows = try StoreStatement<NoFields, DeviceColumn>(
            kept: db, "SELECT \(DeviceColumn.columns) FROM device")
        while try rows.step() {
            devices[rows.int(.id)] = Device(
                name: try rows.text(.name), manufacturer: try rows.text(.manufacturer),
                model: try rows.text(.model), hardwareVersion: try rows.text(.hardware),
                firmwareVersion: try rows.text(.firmware),
                softwareVersion: try rows.text(.software),
                localIdentifier: try rows.text(.localIdentifier),
                udiDeviceIdentifier: try rows.text(.udi))
        }
        return devices
    }

    var sources: [Source] { entries.map(\.source) }

    func index(ofSource id: Int64) -> Int32? { indexByID[id] }

    /// Returns the index of a stored origin; -1 for an unknown id. A tombstone can have one if
    /// undoing an import has removed its source.
    func index(ofOrigin id: Int64) -> Int32 {
        id >= 0 && id < originIndex.count ? originIndex[Int(id)] : -1
    }

    /// Returns the index of a sample's origin.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` for an unknown id.
    @inline(__always)
    func index(ofSamplesOrigin id: Int64) throws -> Int32 {
        let index = index(ofOrigin: id)
        if index < 0 { throw StoreError.damaged("sample.origin, number \(id)") }
        return index
    }

    // MARK: - Order

    /// Returns the stored settings of one type, by source id.
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

    /// Source indices in HealthKit's documented default order (Semantics §1.2): entered manually,
    /// Apple Watch, iPhone, iPod, then others. Within a kind, the source that first saved a sample
    /// most recently comes first.
    var defaultOrder: [Int32] {
        entries.indices.sorted { left, right in
            let (a, b) = (entries[left], entries[right])
            if a.kind.group != b.kind.group { return a.kind.group < b.kind.group }
            if a.firstSeen != b.firstSeen { return a.firstSeen > b.firstSeen }
            return a.source.bundleIdentifier < b.source.bundleIdentifier
        }.map { Int32($0) }
    }

    /// Returns the current order of a type.
    ///
    /// A source without a stored rank is inserted after all listed sources that precede it in the
    /// default order. It is also not inserted above a source that is listed before the first one of
    /// its own kind: if a person put a phone before the first watch, a new watch stays below that
    /// phone.
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

    /// Inserts each unlisted source after all listed sources that precede it by default, and after
    /// all that are listed before the first source of its kind.
    ///
    /// - Complexity: O(n log n) in the number of sources.
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
        var remainingListed = byDefault[...]
        // The sources to insert before each listed one, and last those to insert after all. `gap`
        // never decreases, so inserted sources keep their default order.
        var gaps = [[Int32]](repeating: [], count: listed.count + 1)
        var gap = 0
        for missing in defaults where !isListed[Int(missing)] {
            while let next = remainingListed.first, place[Int(listed[next])] < place[Int(missing)] {
                gap = max(gap, next + 1)
                remainingListed.removeFirst()
            }
            gap = max(gap, firstOfKind[entries[Int(missing)].kind] ?? 0)
            gaps[gap].append(missing)
        }
        var ranking = gaps[0]
        for (rank, index) in listed.enumerated() { ranking += [index] + gaps[rank + 1] }
        return ranking
    }
}
