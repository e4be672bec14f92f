import Foundation
import HealthKit
import HealthSync
import HealthTesting
import Testing

/// The examples in HealthSync's doc comments: mirrors, attachments, writing and reconciliation.
@Suite struct MirrorExamplesTests {
    let store = HKHealthStore.inMemory()
    let mass = HKQuantityType(.bodyMass)
    let mirror: Mirror
    private let temporary: TemporaryFolder
    private var folder: URL { URL(fileURLWithPath: temporary.path) }

    init() async throws {
        temporary = try TemporaryFolder()
        mirror = try Mirror.inMemory()
        try await store.requestAuthorization(toShare: [mass], read: [mass])
    }

    /// Writes a weight of the present through a mirror.
    private func logged(in mirror: Mirror) async throws -> MirrorEntry {
        try await WriteThrough(store: store, mirror: mirror).log(
            Draft(mass, 82.4, unit: .gramUnit(with: .kilo), at: Date()))
    }

    private func photoFile() throws -> URL {
        URL(fileURLWithPath: try temporary.write("scale.jpg", "a photo"))
    }

    @Test("the entries of a mirror can have notes")
    func mirrorFile() async throws {
        let mirror = try Mirror(at: folder.appending(path: "mirror.sqlite"))
        _ = try await logged(in: mirror)
        let weights = try await mirror.entries(of: HKQuantityType(.bodyMass), limit: 30)
        try await mirror.attach(.note("after the holidays"), to: weights[0].id)
        #expect(try await mirror.attachments(of: weights[0].id).count == 1)
    }

    @Test("a configuration has the metadata and units to keep")
    func configuration() async throws {
        var configuration = MirrorConfiguration()
        configuration.metadataKeys = [HKMetadataKeyWasUserEntered, HKMetadataKeyTimeZone]
        configuration.units[.bodyMass] = .pound()
        let mirror = try Mirror.inMemory(configuration: configuration)
        guard case .quantity(_, let unit) = try await logged(in: mirror).content else {
            Issue.record("the entry is no quantity")
            return
        }
        #expect(unit == "lb")
    }

    @Test("a request has a start and an order")
    func request() async throws {
        let yearAgo = Date().addingTimeInterval(-365 * 86_400)
        let entry = try await logged(in: mirror)
        var request = EntryRequest(of: HKQuantityType(.bodyMass))
        request.from = yearAgo
        request.order = .oldestFirst
        #expect(try await mirror.entries(request).map(\.id) == [entry.id])
    }

    @Test("the entries of a week can be queried")
    func week() async throws {
        let entry = try await logged(in: mirror)
        let monday = Date().addingTimeInterval(-6 * 86_400)
        let nextMonday = monday.addingTimeInterval(7 * 86_400)
        let week = try await mirror.entries(
            of: HKQuantityType(.bodyMass), from: monday, to: nextMonday)
        #expect(week.map(\.id) == [entry.id])
    }

    @Test("a view receives the entries immediately")
    func observation() async throws {
        let entry = try await logged(in: mirror)
        var chart: [MirrorEntry] = []
        let request = EntryRequest(of: HKQuantityType(.bodyMass))
        for try await weights in mirror.observeEntries(request) {
            chart = weights
            break
        }
        #expect(chart.map(\.id) == [entry.id])
    }

    @Test("tags and photos can be attached to entries")
    func attachments() async throws {
        let weight = try await logged(in: mirror)
        try await mirror.attach(.tag("fasted"), to: weight.id)
        let (meal, url) = (weight, try photoFile())
        let photo = try await mirror.storePhoto(at: url)
        try await mirror.attach(.photo(photo), to: meal.id)
        #expect(try await mirror.attachments(of: meal.id).count == 2)
    }

    @Test("everything can be exported for other programs")
    func export() async throws {
        _ = try await logged(in: mirror)
        let files = try await mirror.export(to: folder, as: .csv)
        #expect(files.entryCount == 1)
    }

    @Test("differences are found and repaired")
    func verification() async throws {
        let report = try await mirror.verify(
            [TrackedType(HKQuantityType(.bodyMass))], against: store)
        if !report.isClean { try await mirror.repair(report, against: store) }
        #expect(report.isClean)
    }

    @Test("a reconciliation without differences changes nothing")
    func reconciliation() async throws {
        _ = try await logged(in: mirror)
        let report = try await mirror.reconcile(
            [TrackedType(HKQuantityType(.bodyMass))], with: store)
        #expect(!report.foundDifferences)
    }

    @Test("a draft is saved with its attachments and photos")
    func draft() async throws {
        let writing = WriteThrough(store: store, mirror: mirror)
        let scale = try photoFile()
        var weight = Draft(
            HKQuantityType(.bodyMass), 82.4, unit: .gramUnit(with: .kilo), at: Date())
        weight.attachments = [.note("after the holidays"), .tag("fasted")]
        weight.photos = [scale]
        let entry = try await writing.log(weight)
        #expect(try await mirror.attachments(of: entry.id).count == 3)
    }

    @Test("a rejected draft is returned with a message")
    func refusal() async throws {
        try store.setAuthorization(.denied, for: [mass])
        let writing = WriteThrough(store: store, mirror: mirror)
        let draft = Draft(mass, 82.4, unit: .gramUnit(with: .kilo), at: Date())
        var kept: Draft?
        func show(_ sentence: String, keeping draft: Draft?) { kept = draft }
        do {
            try await writing.log(draft)
        } catch {
            show(error.sentence, keeping: error.draft)
        }
        #expect(kept == draft)
    }

    @Test("pending writes are recovered before new ones")
    func recovery() async throws {
        let draft = Draft(mass, 82.4, unit: .gramUnit(with: .kilo), at: Date())
        func tell(_ recovery: Recovery) { Issue.record("\(recovery)") }
        let writing = WriteThrough(store: store, mirror: mirror)
        for recovery in try await writing.recover() { tell(recovery) }
        let entry = try await writing.log(draft)
        #expect(entry.state == .synced)
    }

    @Test("an entry can be replaced by a draft")
    func edit() async throws {
        let writing = WriteThrough(store: store, mirror: mirror)
        let entry = try await logged(in: mirror)
        var draft = try #require(Draft(entry))
        draft.content = .quantity(82.1, unit: "kg")
        let changed = try await writing.edit(entry.id, to: draft)
        #expect(changed.content == .quantity(82.1, unit: "kg"))
    }
}
