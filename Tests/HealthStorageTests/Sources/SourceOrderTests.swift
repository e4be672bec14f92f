import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("sources have an order that a person can change")
struct SourceOrderTests {
    /// Creates a store with a day of two watches, two phones, two apps and the Health app.
    private func manySources() throws -> TemporaryStore {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Old App", 0, 60, 1, created: 100)
        recording.add(.steps, "Phone", 0, 60, 2, device: .phone, created: 200)
        recording.add(.steps, "Watch", 0, 60, 3, device: .watch, created: 300)
        recording.add(.steps, "New App", 0, 60, 4, created: 400)
        recording.add(.steps, "Health", 0, 60, 5, created: 50)
        recording.add(.steps, "New\u{A0}Watch", 0, 60, 6, device: .watch, created: 500)
        recording.add(.bodyMass, "Scale", 0, 0, 70, created: 600)
        try file.add(recording)
        return file
    }

    private func names(_ store: SampleStore, _ type: SampleType? = .steps) throws -> [String] {
        try store.sources(of: type).map { StoredText.folded($0.name) }
    }

    private let byDefault = ["Health", "New Watch", "Watch", "Phone", "New App", "Old App"]

    @Test("by default typed data come first, then Apple's devices, then apps, newest on top")
    func defaultOrder() throws {
        let file = try manySources()
        let store = try file.open()
        #expect(try names(store) == byDefault)
        #expect(try store.sources(of: .steps).map(\.rank) == [1, 2, 3, 4, 5, 6])
        #expect(try names(store, nil).last == "Old App")
        #expect(try names(store, nil).count == 7)
        #expect(try names(store, .bodyMass) == ["Scale"])
        let watch = try #require(try store.sources(of: .steps).first { $0.name == "Watch" })
        #expect((watch.samples, watch.first, watch.last) == (1, 0, 60))
        #expect(watch.bundleIdentifier.hasPrefix("com.apple.health."))
        let result = try store.statistics(SampleQuery(.steps), over: [0, 60])
        #expect(result.buckets.map(\.merged.sum) == [5])
    }

    @Test("a stored order takes precedence, and the others follow as before")
    func storedOrder() throws {
        let file = try manySources()
        let store = try file.open()
        try store.setOrder(of: .steps, to: ["Phone", "Old App"])
        #expect(
            try names(store)
                == ["Phone", "Old App", "Health", "New Watch", "Watch", "New App"])
        let result = try store.statistics(SampleQuery(.steps), over: [0, 60])
        #expect(result.buckets.map(\.merged.sum) == [2])
        #expect(result.ranking.map { result.sources[Int($0)].name }.first == "Phone")
        try store.setOrder(of: .steps, to: ["Old App"])
        #expect(try names(store).prefix(3) == ["Old App", "Phone", "Health"])
        #expect(try names(store, .bodyMass) == ["Scale"])
        try store.resetSources(of: .steps)
        #expect(try names(store) == byDefault)
    }

    @Test("a source added after the order was stored takes the place it has by default")
    func missingFromStoredOrder() throws {
        let file = try manySources()
        var store = try file.open()
        try store.setOrder(of: .steps, to: ["Phone", "Watch"])
        try store.close()
        var recording = Recording()
        for (name, device, created) in [
            ("Phone", Recording.Device.phone, 200.0), ("Third Watch", .watch, 250),
            ("Newest App", .app, 900),
        ] {
            recording.add(.steps, name, 0, 60, 2, device: device, created: created)
        }
        try file.add(recording)
        store = try file.open()
        // Below every source that precedes it by default, and never above Phone, which was ranked
        // explicitly.
        #expect(try names(store) == ["Phone", "Third Watch", "Newest App"])
    }

    @Test("no unlisted source is ranked above one that a person placed")
    func placing() throws {
        let file = try manySources()
        try file.damage(
            """
            INSERT INTO source_setting (type, source, rank)
            SELECT (SELECT code FROM type WHERE identifier LIKE '%StepCount'), id,
                CASE name WHEN 'Old App' THEN 0 ELSE 1 END
            FROM source WHERE name IN ('Old App', 'Watch')
            """)
        let store = try file.open(.reading)
        // By default all sources precede Old App, which a user has ranked first.
        #expect(
            try names(store) == ["Health", "Old App", "New Watch", "Watch", "Phone", "New App"])
    }

    @Test("an excluded source is not counted, is listed, and can be included again")
    func exclusion() throws {
        let file = try manySources()
        let store = try file.open()
        try store.set(.excluded, of: "Health", in: .steps)
        let result = try store.statistics(SampleQuery(.steps), over: [0, 60])
        #expect(result.buckets.map(\.merged.sum) == [6])
        #expect(result.excluded.map(\.source.name) == ["Health"])
        #expect(result.excluded.map(\.reason) == ["chosen"])
        let health = try #require(try store.sources(of: .steps).first)
        #expect(health.isExcluded && health.exclusionReason == "chosen" && health.rank == 1)
        #expect(try store.exclusions().map(\.type.name) == ["stepCount"])
        #expect(try store.samples(SampleQuery(.steps)).samples.count == 6)
        try store.set(.included, of: "com.apple.Health", in: .steps)
        #expect(try store.statistics(SampleQuery(.steps), over: [0, 60]).excluded.isEmpty)
        #expect(try store.exclusions().isEmpty)
        #expect(try store.sources(of: .steps).first?.exclusionReason == nil)
    }

    @Test("a source of day totals is excluded, stays included once chosen, and a reset excludes it")
    func dayTotals() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Totals", 0, 86_399, 9000)
        recording.add(.steps, "Phone", 60, 120, 100, device: .phone)
        recording.add(.bodyMass, "Totals", 0, 86_399, 70)
        let outcome = try file.add(recording)
        #expect(outcome.dayTotals.map(\.source) == ["Totals"])
        #expect(outcome.dayTotals.map(\.type) == [SampleType.steps.identifier])
        var store = try file.open()
        let excluded = try store.sources(of: .steps).filter(\.isExcluded)
        #expect(excluded.map(\.exclusionReason) == [SampleStore.dayTotalsReason])
        #expect(try store.sources(of: .bodyMass).allSatisfy { !$0.isExcluded })
        try store.set(.included, of: "Totals", in: .steps)
        try store.close()
        #expect(try file.add(recording).dayTotals.isEmpty)
        store = try file.open()
        #expect(try store.sources(of: .steps).allSatisfy { !$0.isExcluded })
        try store.resetSources(of: .steps)
        #expect(try store.exclusions().map(\.excluded.reason) == [SampleStore.dayTotalsReason])
    }

    @Test("names are folded, and bundle identifiers are names too")
    func folding() throws {
        let file = try manySources()
        let store = try file.open(.reading)
        let (one, identifier) = try (
            store.samples(SampleQuery(.steps, sources: ["New  Watch"])),
            #require(try store.sources(of: .steps).first { $0.rank == 2 }).bundleIdentifier
        )
        #expect(one.samples.map(\.value) == [6])
        let same = try store.samples(SampleQuery(.steps, sources: [identifier]))
        #expect(same.samples == one.samples)
        let two = try store.samples(SampleQuery(.steps, sources: ["Ｐhone", "Watch"]))
        #expect(two.samples.count == 2)
    }

    @Test("an unknown name lists the known ones")
    func unknownName() throws {
        let file = try manySources()
        let store = try file.open()
        let error = #expect(throws: StoreError.self) {
            try store.setOrder(of: .steps, to: ["Phones"])
        }
        #expect(error?.code == .unknownSource)
        #expect(error?.description.hasPrefix("Unknown source “Phones”. The store has “") == true)
        #expect(error?.description.contains("“Phone”") == true)
        #expect(throws: StoreError.self) { try store.setOrder(of: .steps, to: ["Phone", "Phone"]) }
        #expect(throws: StoreError.self) { try store.set(.excluded, of: "", in: .steps) }
        let none = #expect(throws: StoreError.self) {
            try SampleStore.inMemory().identify("Phone", as: "com.example.app")
        }
        #expect(none?.description == "Unknown source “Phone”. The store has no sources yet.")
    }

    @Test("an ambiguous name lists the identifiers to choose from")
    func ambiguousName() throws {
        let file = try manySources()
        try file.damage(
            """
            INSERT INTO source (name, bundle_identifier, derivation, kind)
            VALUES ('Phone', 'com.example.phone', 'own', 'other')
            """)
        let store = try file.open()
        let error = #expect(throws: StoreError.self) {
            try store.set(.excluded, of: "Phone", in: .steps)
        }
        #expect(error?.code == .ambiguousSource)
        #expect(error?.description.contains("com.example.phone") == true)
        #expect(error?.description.contains("com.apple.health.") == true)
        try store.set(.excluded, of: "com.example.phone", in: .steps)
    }

    @Test("an earlier name still means its source")
    func alias() throws {
        let file = try manySources()
        try file.damage(
            """
            INSERT INTO source_alias (folded, name, source)
            SELECT 'Telephone', 'Telephone', id FROM source WHERE name = 'Phone'
            """)
        let store = try file.open(.reading)
        let samples = try store.samples(SampleQuery(.steps, sources: ["Telephone"])).samples
        #expect(samples.map(\.value) == [2])
    }

    @Test("an identified source keeps its identifier and the rank that follows from it")
    func identify() throws {
        let file = try manySources()
        var store = try file.open()
        try store.identify("Old App", as: "com.example.old")
        #expect(try store.sources(of: .steps).last?.bundleIdentifier == "com.example.old")
        let taken = #expect(throws: StoreError.self) {
            try store.identify("New App", as: "com.example.old")
        }
        #expect(taken?.code == .invalidArgument)
        for bad in ["", "two words"] {
            #expect(throws: StoreError.self) { try store.identify("New App", as: bad) }
        }
        // A "watch" that turns out to be an app is ranked with the apps.
        try store.identify("New Watch", as: "com.example.watch")
        #expect(
            try names(store) == ["Health", "Watch", "Phone", "New Watch", "New App", "Old App"])
        try store.identify("New Watch", as: "com.apple.health.ABC")
        #expect(try names(store) == byDefault)
        try store.close()
        var recording = Recording()
        recording.add(.steps, "Old App", 0, 60, 1, created: 100)
        try file.add(recording)
        store = try file.open()
        #expect(try store.sources(of: .steps).map(\.bundleIdentifier) == ["com.example.old"])
    }
}
