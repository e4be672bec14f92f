import GRDB
import HealthEngine

/// A stored row as the input of a filter. Data outside the row, such as metadata and details, is
/// read on demand and cached.
///
/// Create one for each read and set ``row`` to each sample in turn. Data that can't be read counts
/// as missing, and the error is kept in ``failure``.
final class StoredFacts: SampleFacts {
    private let db: Database
    private let table: SourceTable
    private let type: SampleType
    var row: MatchedRow {
        didSet { loadedDetail = nil }
    }
    private(set) var failure: (any Error)?
    private var loadedDetail: SampleDetail??
    private var sets: [Int64: Metadata] = [:]
    private var containers: [SampleUUID: Container?] = [:]
    private var conversions: [Conversion: UnitConversion?] = [:]
    private lazy var lookUp = FactStatements(db)

    /// The members of a correlation or workout.
    struct Container {
        /// The sequence numbers of the stored members.
        var members: Set<Int64>
        /// Set for an imported workout with a source: quantity and category samples of the source
        /// within these times (both inclusive) count as members (Semantics §10.9).
        var inferred: (source: Int64, start: Double, end: Double)?
    }

    private struct Conversion: Hashable {
        var origin: Int32
        var unit: String
    }

    init(_ db: Database, _ table: SourceTable, _ type: SampleType, _ row: MatchedRow) {
        self.db = db
        self.table = table
        self.type = type
        self.row = row
    }

    /// Throws the first error that occurred while data was read.
    func rethrow() throws {
        if let failure { throw failure }
    }

    private func recordingFault<Value>(_ body: () throws -> Value?) -> Value? {
        do {
            return try body()
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    // MARK: - Data in the row

    var typeIdentifier: String { type.identifier }
    var start: Double { row.sample.start }
    var end: Double { row.sample.end }
    var uuid: SampleUUID { row.uuid }

    private var origin: Origin? {
        row.sample.origin < 0 ? nil : table.origins[Int(row.sample.origin)]
    }

    private var source: Source? {
        guard let origin, origin.source >= 0 else { return nil }
        return table.entries[Int(origin.source)].source
    }

    var bundleIdentifier: String? { source?.bundleIdentifier }
    var sourceName: String? { source?.name }
    var sourceVersion: String? { origin?.version }
    var productType: String? { origin?.productType }
    var device: Device? { origin?.device }

    var operatingSystem: SystemVersion? {
        origin?.operatingSystemVersion.flatMap { SystemVersion($0) }
    }

    var quantity: (value: Double, unit: String)? {
        guard type.kind == .quantity, !row.sample.value.isNaN, let unit = origin?.unit else {
            return nil
        }
        return (row.sample.value, unit)
    }

    var categoryValue: Int? { type.kind == .category ? Int(exactly: row.sample.value) : nil }

    func quantity(_ measure: SampleFilter.Measure, in unit: String) -> Double? {
        guard let quantity else { return nil }
        let value: Double? =
            switch measure {
            case .value, .sum, .average: quantity.value
            case .minimum: seriesValues?.min() ?? quantity.value
            case .maximum: seriesValues?.max() ?? quantity.value
            case .mostRecent: seriesValues?.last ?? quantity.value
            }
        guard let value else { return nil }
        if quantity.unit == unit { return value }
        let place = Conversion(origin: row.sample.origin, unit: unit)
        if let known = conversions[place] { return known.map { $0(value) } }
        // An incompatible unit has no conversion.
        let conversion = try? HealthUnit(quantity.unit).conversion(to: HealthUnit(unit))
        conversions[place] = .some(conversion)
        return conversion.map { $0(value) }
    }

    // MARK: - Metadata and details

    func metadata(_ key: String) -> MetadataValue? {
        if row.metadata == 0 { return nil }
        if let known = sets[row.metadata] { return known[key] }
        let set = recordingFault { try lookUp.metadata(row.metadata) } ?? [:]
        if sets.count >= 20_000 { sets.removeAll() }
        sets[row.metadata] = set
        return set[key]
    }

    private var detail: SampleDetail? {
        if let loadedDetail { return loadedDetail }
        let detail = recordingFault { try lookUp.detail(row.sample.sequence) }
        loadedDetail = .some(detail)
        return detail
    }

    var seriesValues: [Double]? {
        guard type.kind == .quantity, !row.isImported, case .series(let series) = detail else {
            return nil
        }
        return series.map(\.value)
    }

    var workout: Workout? {
        guard type.kind == .workout, case .workout(let workout) = detail else { return nil }
        return workout
    }

    var day: String? {
        guard type.kind == .activitySummary, case .activitySummary(let summary) = detail else {
            return nil
        }
        return summary.date
    }

    var stateOfMind: StateOfMindFacts? {
        guard case .numbers(let numbers) = detail, let kind = numbers[.kind].first,
            let valence = numbers[.valence].first
        else { return nil }
        return StateOfMindFacts(
            kind: Int(exactly: kind) ?? 0, valence: valence, labels: numbers.integers(.labels),
            associations: numbers.integers(.associations))
    }

    var electrocardiogram: ElectrocardiogramFacts? {
        guard type.name == "electrocardiogram" else { return nil }
        guard case .numbers(let numbers) = detail else { return ElectrocardiogramFacts([:]) }
        return ElectrocardiogramFacts(numbers)
    }

    var clinicalDetail: SampleDetail? { type.holdsDocuments ? detail : nil }
    var medicationDose: MedicationDose? {
        guard type.name == "medicationDoseEvent" else { return nil }
        return MedicationDose(detail) { metadata($0) }
    }

    // MARK: - Membership

    func isMember(of container: SampleUUID) -> Bool {
        guard let container = self.container(container) else { return false }
        if container.members.contains(row.sample.sequence) { return true }
        guard let inferred = container.inferred, SampleStore.canBeInferredMember(type.kind),
            let origin, origin.source >= 0
        else { return false }
        return table.entries[Int(origin.source)].id == inferred.source
            && row.sample.start >= inferred.start && row.sample.end <= inferred.end
    }

    func container(_ uuid: SampleUUID) -> Container? {
        if let known = containers[uuid] { return known }
        let container = recordingFault { try SampleStore.container(uuid, db) }
        containers[uuid] = .some(container)
        return container
    }

    var hasCorrelation: Bool {
        recordingFault { try lookUp.hasCorrelation(row.sample.sequence) } ?? false
    }
}

/// Prepared statements for the single rows that some filters read.
private final class FactStatements {
    private let db: Database
    private var details: PreparedStatement<SingleField>?
    private var correlations: PreparedStatement<SingleField>?
    private var sets: MetadataReader?

    init(_ db: Database) { self.db = db }

    func metadata(_ id: Int64) throws -> Metadata {
        let reader = try sets ?? MetadataReader(db)
        sets = reader
        return try reader.metadata(id)
    }

    func detail(_ sequence: Int64) throws -> SampleDetail? {
        let statement =
            try details
            ?? PreparedStatement(
                db, "SELECT content FROM detail WHERE sequence = \(SingleField.value)")
        details = statement
        var detail: SampleDetail?
        try statement.forEach(sequence) { row in
            detail = try row.text(.value).map(StoredText.detail(from:))
        }
        return detail
    }

    func hasCorrelation(_ sequence: Int64) throws -> Bool {
        let statement =
            try correlations
            ?? PreparedStatement(
                db,
                "SELECT 1 FROM membership JOIN sample ON sequence = parent "
                    + "JOIN type ON code = type WHERE child = \(SingleField.value) "
                    + "AND kind = \(SampleType.Kind.correlation.rawValue) LIMIT 1")
        correlations = statement
        var isMember = false
        try statement.forEach(sequence) { _ in isMember = true }
        return isMember
    }
}

extension SampleStore {
    /// Returns the members of the correlation or workout with a UUID; nil if it isn't stored.
    static func container(_ uuid: SampleUUID, _ db: Database) throws -> StoredFacts.Container? {
        guard let place = try StoredRows(db).find(uuid) else { return nil }
        let members = try Int64.readSet(
            db, sql: "SELECT child FROM membership WHERE parent = ?", arguments: [place.sequence])
        let isWorkout = Catalogue.type(code: place.type)?.kind == .workout
        let isInferred = isWorkout && place.isImported && place.source != 0
        return StoredFacts.Container(
            members: members,
            inferred: isInferred ? (place.source, place.start, place.end) : nil)
    }

    /// Returns whether samples of a kind can be inferred members of an imported workout.
    static func canBeInferredMember(_ kind: SampleType.Kind) -> Bool {
        kind == .quantity || kind == .category
    }
}
