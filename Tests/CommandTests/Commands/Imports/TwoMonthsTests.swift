import Foundation
import HealthEngine
import HealthSimulator
import HealthStorage
import HealthSync
import HealthTesting
import OpenHealthKit
import Testing

/// January's export, February's of the same person, and an undo of February's.
@Suite(.inTestAll) struct TwoMonthsTests {
    private let folder: TemporaryFolder
    private let months: TwoMonths
    private var file: String { folder.path + "/health.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        months = try TwoMonths(seed: 11)
        try months.write(
            january: folder.path + "/january.zip", february: folder.path + "/february.zip")
    }

    private func run(_ words: String...) throws -> CommandRun {
        let run = try CommandRun(words, store: file)
        try #require(run.status == 0, "\(run.errors)")
        return run
    }

    private func `import`(_ month: String) throws {
        _ = try run("import", folder.path + "/\(month).zip", "--time-zone", TwoMonths.zone)
    }

    @Test("the diff names exactly what changed between two months, type by type")
    func difference() throws {
        try `import`("january")
        try `import`("february")
        let store = try SampleStore(at: file, access: .reading)
        defer { try? store.close() }
        let difference = try store.difference(ofImport: 2)
        var found: [String: TwoMonths.Changes] = [:]
        for type in difference.types {
            found[type.type.identifier] = TwoMonths.Changes(
                new: type.new, changed: type.changed, vanished: type.vanished, first: type.first,
                last: type.last,
                reasons: Dictionary(
                    type.reasons.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +))
        }
        for (type, changes) in months.changes { #expect(found[type] == changes, "\(type)") }
        #expect(Set(found.keys) == Set(months.changes.keys))
        #expect(
            Set(months.changes.values.flatMap(\.reasons.keys))
                == Set(ImportDifference.Reason.allCases.map(\.rawValue)), "each reason is tried")
        #expect(difference.renamed.map(\.from) == [months.person.watchName])
        #expect(difference.renamed.map(\.to) == [TwoMonths.newWatch])
        #expect(difference.newSources == [TwoMonths.newPhone])
        #expect(difference.characteristics == [])
        try sameInJSON(found)
        try sameSamples(found, in: store)
    }

    private func sameSamples(
        _ found: [String: TwoMonths.Changes], in store: SampleStore
    ) throws {
        var counts: [String: TwoMonths.Changes] = [:]
        for change in try store.sampleChanges(ofImport: 2, limit: 1_000_000) {
            var changes = counts[change.type.identifier] ?? TwoMonths.Changes()
            switch change.kind {
            case .new: changes.new += 1
            case .changed: changes.changed += 1
            case .removed, .replaced: changes.vanished += 1
            }
            changes.first = min(changes.first, change.start)
            changes.last = max(changes.last, change.start)
            counts[change.type.identifier] = changes
        }
        let expected = found.mapValues { changes in
            var changes = changes
            changes.reasons = [:]
            return changes
        }
        #expect(counts == expected)
    }

    private func sameInJSON(_ found: [String: TwoMonths.Changes]) throws {
        let answer = try #require(run("imports", "diff", "2", "--json").object)
        var reported: [String: TwoMonths.Changes] = [:]
        for entry in try #require(answer["types"] as? [[String: Any]]) {
            let type = try #require(entry["type"] as? String)
            var changes = TwoMonths.Changes(
                new: try #require(entry["new"] as? Int),
                changed: try #require(entry["changed"] as? Int),
                vanished: try #require(entry["vanished"] as? Int))
            changes.first = try moment(entry["first"])
            changes.last = try moment(entry["last"])
            changes.reasons = try #require(entry["reasons"] as? [String: Int])
            reported[type] = changes
        }
        #expect(reported == found)
        let renamed = try #require(answer["renamed"] as? [[String: String]])
        #expect(renamed == [["from": months.person.watchName, "to": TwoMonths.newWatch]])
        #expect(answer["newSources"] as? [String] == [TwoMonths.newPhone])
    }

    /// Parses a time, or the start of a day in UTC.
    private func moment(_ value: Any?) throws -> Double {
        let text = try #require(value as? String)
        if let date = ISO8601DateFormatter().date(from: text) {
            return date.timeIntervalSinceReferenceDate
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "yyyy-MM-dd"
        return try #require(formatter.date(from: text)).timeIntervalSinceReferenceDate
    }

    @Test("an app's notes stay on their samples, and an undo restores every result")
    func notesAndUndo() async throws {
        try `import`("january")
        let before = try StoreDump(file)
        let app = try await MirroredApp(file, folder.path + "/mirror.sqlite")
        try await app.watcher.sync()
        var notes: [TwoMonths.ChangeKind: UUID] = [:]
        for kind in TwoMonths.ChangeKind.allCases {
            let sample = try #require(months.touched[kind])
            notes[kind] = try await app.note("\(kind)", on: sample)
        }
        let steps = try await app.mirror.entries(of: HKQuantityType(.stepCount))
        let watched = try #require(steps.first { $0.sourceName == months.person.watchName })
        try await app.mirror.attach(.note("renamed"), to: watched.id)

        try `import`("february")
        try await app.watcher.sync()
        for kind in [TwoMonths.ChangeKind.corrected, .annotated] {
            let entry = try #require(notes[kind])
            let contents = try await app.mirror.attachments(of: entry).map(\.content)
            #expect(contents == [.note("\(kind)")])
        }
        #expect(
            try await app.mirror.attachments(of: watched.id).map(\.content) == [.note("renamed")])
        let loose = try await app.mirror.unattached().map(\.target.entry)
        #expect(Set(loose) == Set([notes[.deleted], notes[.moved]].compactMap(\.self)))
        let brought = try StoreDump(file)
        #expect(brought != before)

        _ = try run("imports", "undo", "2", "--yes")
        #expect(try StoreDump(file) == before)
        try await app.watcher.sync()
        #expect(try await app.mirror.unattached().isEmpty)
        for entry in notes.values {
            #expect(try await app.mirror.attachments(of: entry).count == 1)
        }
        let fresh = try await MirroredApp(file, folder.path + "/fresh.sqlite")
        try await fresh.watcher.sync()
        let (lived, new) = (try await app.entries(), try await fresh.entries())
        #expect(lived.count > 1_000)
        #expect(lived == new)

        try `import`("february")
        #expect(try StoreDump(file) == brought)
    }
}

/// An app that mirrors the types it may read and attaches notes.
private struct MirroredApp {
    let watcher: Watcher
    let mirror: Mirror

    private static let types: [HKSampleType] = [
        HKQuantityType(.stepCount), HKQuantityType(.heartRate), HKQuantityType(.bodyMass),
        HKQuantityType(.oxygenSaturation), HKQuantityType(.restingHeartRate),
        HKQuantityType(.distanceWalkingRunning), HKQuantityType(.dietaryProtein),
        HKQuantityType(.bloodPressureSystolic), HKCategoryType(.sleepAnalysis),
        HKWorkoutType.workoutType(),
    ]

    init(_ file: String, _ mirrorFile: String) async throws {
        let store = try HKHealthStore(
            path: file, identity: AppIdentity("com.example.diary", name: "Diary"))
        try await store.requestAuthorization(toShare: [], read: Set(MirroredApp.types))
        mirror = try Mirror(at: URL(fileURLWithPath: mirrorFile))
        watcher = Watcher(
            store: store, types: MirroredApp.types.map { TrackedType($0) }, positions: mirror)
        try await watcher.mirror(into: mirror)
        await watcher.start()
    }

    /// Attaches a note to a sample's entry.
    func note(_ text: String, on sample: Sample) async throws -> UUID {
        let type = try #require(Catalogue.type(code: sample.type)).identifier
        let all = try await mirror.entries(EntryRequest())
        let entry = try #require(
            all.first {
                $0.type == type && $0.start.timeIntervalSinceReferenceDate == sample.start
            })
        try await mirror.attach(.note(text), to: entry.id)
        return entry.id
    }

    func entries() async throws -> [UUID: MirrorEntry] {
        try await mirror.entries(EntryRequest()).reduce(into: [:]) { $0[$1.id] = $1 }
    }
}
