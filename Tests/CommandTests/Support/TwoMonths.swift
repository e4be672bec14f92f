import Foundation
import HealthArchive
import HealthEngine
import HealthSimulator

/// January's and February's export of one simulated person in São Paulo, with known differences.
///
/// In February the person renames the Watch, gets a new phone, switches from miles to kilometres
/// and turns the clocks back. Some of January's records are deleted or corrected, and the Watch
/// adds a few of January's late. Every change is recorded.
struct TwoMonths {
    /// The changes of one type that the second import must report.
    struct Changes: Equatable {
        var new = 0
        var changed = 0
        var vanished = 0
        var first = Double.infinity
        var last = -Double.infinity
        var reasons: [String: Int] = [:]
    }

    static let zone = "America/Sao_Paulo"
    static let newWatch = "Sam’s Ultra"
    static let newPhone = "Sam’s iPhone 15"
    let person: SimulatedPerson
    let simulation: Simulation
    /// The expected changes, by type identifier.
    private(set) var changes: [String: Changes] = [:]
    /// The records of January that are deleted, corrected or otherwise changed, by kind of change.
    private(set) var touched: [ChangeKind: Sample] = [:]
    private var january = SampleBatch()
    private var february = SampleBatch()
    /// The indices of records that were already changed.
    private var used: Set<Int> = []

    enum ChangeKind: CaseIterable { case deleted, corrected, annotated, moved }

    init(seed: UInt64) throws {
        person = SimulatedPerson(
            seed: seed, days: 59, records: 5_900, end: CivilDate(2018, 3, 1),
            homeTimeZone: TwoMonths.zone)
        simulation = try Simulation(person)
        var both = SampleBatch()
        for batch in simulation.batches { both.append(batch) }
        february = both
        let export = try date("2018-02-01T08:55:02-02:00")
        syncLate(6, of: "heartRate")
        january = february.filtered { $0.created <= export }
        for sample in february.samples where sample.created > export { note(\.new, sample) }
        change()
        february = february.without(indices: deleted)
        renameWatch()
        try changePhone()
        convertDistances()
    }

    private var deleted: Set<Int> = []

    // MARK: - Changes in February

    private mutating func change() {
        delete(3, of: "stepCount", by: person.watchName)
        delete(4, of: "heartRate", by: person.watchName)
        delete(1, of: "bodyMass")
        delete(1, of: "workout")
        delete(1, of: "bloodPressure")
        deleteMember()
        correct(2, of: "bodyMass", .corrected, "value") { $0.samples[$1].value += 1.25 }
        correct(3, of: "oxygenSaturation", .annotated, "metadata") { batch, index in
            batch.metadata.append(["Note": .string("checked <twice>")])
            batch.samples[index].metadata = Int32(batch.metadata.count - 1)
        }
        correct(2, of: "restingHeartRate", nil, "origin") { batch, index in
            var origin = batch.origins[Int(batch.samples[index].origin)]
            origin.version = "99.1"
            batch.origins.append(origin)
            batch.samples[index].origin = Int32(batch.origins.count - 1)
        }
        correct(1, of: "workout", nil, "details") { batch, index in
            guard case .workout(var workout)? = batch.details[index] else { return }
            workout.duration = (workout.duration ?? 0) + 60
            batch.details[index] = .workout(workout)
        }
        correct(1, of: "activitySummary", nil, "details") { batch, index in
            guard case .activitySummary(var rings)? = batch.details[index] else { return }
            rings.appleExerciseTime = (rings.appleExerciseTime ?? 0) + 5
            batch.details[index] = .activitySummary(rings)
        }
        moveEnds(2, of: "sleepAnalysis")
        replace("bodyMass")
    }

    /// Returns unchanged records of January of a type, spread over the month.
    private mutating func take(
        _ count: Int, of name: String, by source: String? = nil
    ) -> [Int] {
        let code = Catalogue.type(named: name)?.code
        let january = Set(self.january.samples.map(Moment.init))
        let all = february.samples.indices.filter { index in
            let sample = february.samples[index]
            return sample.type == code && january.contains(Moment(sample))
                && !used.contains(index) && february.parents[index] == nil
                && source.map { february.source(of: sample).name == $0 } ?? true
        }
        let chosen = (0..<count).compactMap { place in
            all.isEmpty ? nil : all[(2 * place + 1) * all.count / (2 * count)]
        }
        used.formUnion(chosen)
        return chosen
    }

    private mutating func delete(_ count: Int, of name: String, by source: String? = nil) {
        for index in take(count, of: name, by: source) {
            remove(index, as: .deleted)
            for (member, parent) in february.parents where parent == index { remove(member) }
        }
    }

    private mutating func remove(_ index: Int, as kind: ChangeKind? = nil) {
        deleted.insert(index)
        note(\.vanished, february.samples[index])
        if let kind, touched[kind] == nil || february.isMass(index) {
            touched[kind] = february.samples[index]
        }
    }

    /// Deletes the protein of a meal. The meal stays.
    private mutating func deleteMember() {
        guard let meal = take(1, of: "food").first,
            let protein = february.parents.first(where: {
                $0.value == meal
                    && february.samples[$0.key].type
                        == Catalogue.type(named: "dietaryProtein")?.code
            })?.key
        else { return }
        remove(protein)
        note(\.changed, february.samples[meal], "members")
    }

    private mutating func correct(
        _ count: Int, of name: String, _ kind: ChangeKind?, _ reason: String,
        _ body: (inout SampleBatch, Int) -> Void
    ) {
        for index in take(count, of: name) {
            body(&february, index)
            note(\.changed, february.samples[index], reason)
            if let kind { touched[kind] = february.samples[index] }
        }
    }

    /// Moves the ends of records. Each is then a different record: one is deleted, one added at its
    /// start.
    private mutating func moveEnds(_ count: Int, of name: String) {
        for index in take(count, of: name) {
            touched[.moved] = february.samples[index]
            note(\.vanished, february.samples[index], "retimed")
            february.samples[index].end += 60
            note(\.new, february.samples[index])
        }
    }

    /// Replaces a weight of an app that uses sync versions: it saves a second version.
    private mutating func replace(_ name: String) {
        guard let index = take(1, of: name).first else { return }
        let like = february.samples[index]
        for (version, created) in [(1.0, like.created + 9), (2, like.created + 2_600_000)] {
            var sample = like
            sample.created = created
            sample.value += version
            let metadata: Metadata = [
                "HKMetadataKeySyncIdentifier": .string("weight"),
                "HKMetadataKeySyncVersion": .number(version),
            ]
            if version == 1 {
                january.add(sample, metadata)
                note(\.vanished, sample, "replaced")
            } else {
                february.add(sample, metadata)
                note(\.new, sample)
            }
        }
    }

    /// Adds records of January that reach the phone in February.
    private mutating func syncLate(_ count: Int, of name: String) {
        for index in february.samples.indices.filter({
            february.samples[$0].type == Catalogue.type(named: name)?.code
        }).dropFirst(40).prefix(count) {
            february.samples[index].created += 32 * 86_400
        }
    }

    // MARK: - Changes of all records

    private mutating func renameWatch() {
        for index in february.sources.indices where february.sources[index].name == person.watchName
        {
            february.sources[index].name = TwoMonths.newWatch
        }
    }

    private mutating func changePhone() throws {
        let day = try date("2018-02-10T12:00:00-02:00")
        guard let old = february.sources.firstIndex(where: { $0.name == person.phoneName })
        else { return }
        february.sources.append(Source(name: TwoMonths.newPhone, bundleIdentifier: ""))
        var renewed: [Int32: Int32] = [:]
        for index in february.samples.indices where february.samples[index].start >= day {
            let number = february.samples[index].origin
            var origin = february.origins[Int(number)]
            guard origin.source == old else { continue }
            if renewed[number] == nil {
                origin.source = Int32(february.sources.count - 1)
                origin.device?.hardwareVersion = "iPhone15,4"
                renewed[number] = Int32(february.origins.count)
                february.origins.append(origin)
            }
            february.samples[index].origin = renewed[number] ?? number
        }
    }

    private mutating func convertDistances() {
        let miles = february.origins.map { $0.unit == "mi" }
        for index in february.samples.indices where miles[Int(february.samples[index].origin)] {
            february.samples[index].value *= 1.609344
        }
        for index in february.origins.indices where miles[index] {
            february.origins[index].unit = "km"
        }
    }

    // MARK: - Files

    /// Writes both exports. January's dates are printed two hours west of UTC, February's three.
    func write(january first: String, february second: String) throws {
        try write(january, first, "2018-02-01T08:55:02-02:00", offset: -7200)
        try write(february, second, "2018-03-01T08:55:02-03:00", offset: -10_800)
    }

    private func write(_ batch: SampleBatch, _ path: String, _ day: String, offset: Int) throws {
        var archive = try ExportArchive(
            path: path,
            header: ExportHeader(
                locale: "pt_BR", exportDate: try date(day), offset: offset,
                characteristics: simulation.characteristics))
        try archive.write(batch)
        _ = try archive.finish()
    }

    private func date(_ text: String) throws -> Double {
        guard let date = ISO8601DateFormatter().date(from: text) else {
            throw CocoaError(.formatting)
        }
        return date.timeIntervalSinceReferenceDate
    }

    private mutating func note(
        _ count: WritableKeyPath<Changes, Int>, _ sample: Sample, _ reason: String? = nil
    ) {
        let type = Catalogue.type(code: sample.type)?.identifier ?? ""
        var counts = changes[type] ?? Changes()
        counts[keyPath: count] += 1
        // Activity summaries belong to a day, so they start at midnight UTC.
        let start =
            type == "HKActivitySummaryTypeIdentifier"
            ? (sample.start / 86_400).rounded(.down) * 86_400 : sample.start
        (counts.first, counts.last) = (min(counts.first, start), max(counts.last, start))
        if let reason { counts.reasons[reason, default: 0] += 1 }
        changes[type] = counts
    }

    private struct Moment: Hashable {
        var type: Int32
        var start: Double
        var key: Int64

        init(_ sample: Sample) { (type, start, key) = (sample.type, sample.start, sample.key) }
    }
}

extension SampleBatch {
    /// Appends the samples of another batch with the same sources.
    fileprivate mutating func append(_ other: SampleBatch) {
        let (first, origin, entries) = (
            samples.count, Int32(origins.count), Int32(metadata.count)
        )
        sources = other.sources
        origins += other.origins
        metadata += other.metadata
        for var sample in other.samples {
            sample.origin += origin
            if sample.metadata >= 0 { sample.metadata += entries }
            samples.append(sample)
        }
        for (index, detail) in other.details { details[first + index] = detail }
        for (member, parent) in other.parents { parents[first + member] = first + parent }
    }

    fileprivate mutating func add(_ sample: Sample, _ entries: Metadata) {
        metadata.append(entries)
        samples.append(sample)
        samples[samples.count - 1].metadata = Int32(metadata.count - 1)
    }

    fileprivate func filtered(_ isKept: (Sample) -> Bool) -> SampleBatch {
        without(indices: Set(samples.indices.filter { !isKept(samples[$0]) }))
    }

    fileprivate func without(indices gone: Set<Int>) -> SampleBatch {
        var kept = SampleBatch(sources: sources, origins: origins, metadata: metadata)
        var places: [Int: Int] = [:]
        for index in samples.indices where !gone.contains(index) {
            places[index] = kept.samples.count
            kept.samples.append(samples[index])
            kept.details[kept.samples.count - 1] = details[index]
        }
        for (member, parent) in parents {
            if let member = places[member], let parent = places[parent] {
                kept.parents[member] = parent
            }
        }
        return kept
    }

    fileprivate func isMass(_ index: Int) -> Bool {
        samples[index].type == Catalogue.type(named: "bodyMass")?.code
    }
}
