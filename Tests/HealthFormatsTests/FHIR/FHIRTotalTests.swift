import Foundation
import HealthCalendar
import HealthEngine
import HealthFormats
import HealthTesting
import Testing

/// Totals and nights as resources.
@Suite struct FHIRTotalTests {
    private static let settings = FHIRExport.Settings(
        calendar: CalendarBuckets(timeZone: .gmt), madeAt: 800_000_000, version: "1")

    /// Returns the resources of a text of lines.
    private static func resources(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private static func total(
        _ shares: [(source: Source, value: Double)]
    ) throws -> FHIRDayTotal {
        let steps = try #require(Catalogue.type(named: "stepCount"))
        return FHIRDayTotal(type: steps, start: 0, end: 86_400, value: 8000, shares: shares)
    }

    @Test("Apple's total names its device, what was recorded, and no other source")
    func appleTotal() throws {
        let watch = Source(name: "Watch", bundleIdentifier: "watch")
        var total = try Self.total([(watch, 100)])
        total.appleTotal = .init(device: "iPhone", recorded: 100)
        total.isProvisional = true
        var export = FHIRExport(.lines, of: "store", Self.settings)
        let found = try Self.resources(export.text(total))
        #expect(
            found.map { $0["resourceType"] as? String } == ["Observation", "Provenance"])
        #expect(found[0]["status"] as? String == "preliminary" && found[0]["device"] == nil)
        let note = (found[0]["note"] as? [[String: String]])?.first?["text"]
        #expect(
            note == "Apple's total from iPhone; the recorded samples add up to 100 count.")
        let entity = (found[1]["entity"] as? [[String: Any]])?.first
        #expect((entity?["what"] as? [String: String]) == ["display": "iPhone: 8000 count"])
    }

    @Test("a source is written once, before the total that refers to it")
    func devices() throws {
        let sources = ["Watch", "Phone"].map { Source(name: $0, bundleIdentifier: $0) }
        let total = try Self.total([(sources[0], 7000), (sources[1], 1000)])
        var export = FHIRExport(.lines, of: "store", Self.settings)
        let first = try Self.resources(export.text(total))
        #expect(
            first.map { $0["resourceType"] as? String } == [
                "Device", "Device", "Observation", "Provenance",
            ])
        let note = (first[2]["note"] as? [[String: String]])?.first?["text"]
        #expect(note == "Merged from Watch 7000 count, Phone 1000 count.")
        #expect(try Self.resources(export.text(total)).count == 2)
        #expect(export.tally.observations == ["HKQuantityTypeIdentifierStepCount": 2])
    }

    @Test("days outside the years 1 to 9999 are counted as lost")
    func dates() throws {
        var total = try Self.total([])
        (total.start, total.end) = (3e11, 3e11 + 86_400)
        var export = FHIRExport(.lines, of: "store", Self.settings)
        #expect(export.text(total).isEmpty && export.tally.losses[.dates]?.count == 1)
        total.start = .nan
        #expect(export.text(total).isEmpty && export.tally.losses[.dates]?.count == 2)
    }

    @Test("an unknown time asleep and in bed has a reason, and isn't 0")
    func unknownSleep() throws {
        let night = FHIRSleep(
            .night, of: CivilDate(2024, 3, 10), start: 0, end: 3600, asleep: nil, inBed: nil,
            stages: [:], parts: [])
        var export = FHIRExport(.lines, of: "store", Self.settings)
        let found = try Self.resources(export.text(night))
        #expect(found[0]["dataAbsentReason"] != nil && found[0]["valueQuantity"] == nil)
        let components = try #require(found[0]["component"] as? [[String: Any]])
        #expect(components.count == 1 && components[0]["dataAbsentReason"] != nil)
    }
}
