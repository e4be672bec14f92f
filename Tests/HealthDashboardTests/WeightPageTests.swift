import Foundation
import HealthCalendar
import HealthEngine
import OpenHealthKit
import Testing

@testable import HealthDashboard

/// The content of the page of weights.
@Suite struct WeightPageTests {
    private let first = CivilDate(2024, 3, 1)

    private func world(_ zone: String = "Europe/Berlin") throws -> PageWorld {
        try PageWorld(zone, now: Date(timeIntervalSinceReferenceDate: 8e8))
    }

    private func page(
        _ world: PageWorld, notes: [WeightPage.Note] = []
    ) async throws -> WeightPage {
        try await WeightPage(
            of: world.service, over: world.range(first, CivilDate(2024, 12, 31)), notes: notes,
            context: world.context)
    }

    @Test("a single weight is its own trend, without a rate")
    func single() async throws {
        let world = try world()
        let noon = try world.start(of: CivilDate(2024, 3, 10)) + 43_200
        try await world.save(.bodyMass, 80, .gramUnit(with: .kilo), at: noon)
        let note = WeightPage.Note(date: noon, text: "waits for the store")
        let shown = try await page(world, notes: [note])
        #expect(
            shown.sentence == """
                Trend 80.0 kg on 10 March 2024. A weekly rate needs weights on three days over at \
                least a week.
                """)
        #expect(shown.measured.map(\.value) == [80] && shown.measured.map(\.date) == [noon])
        #expect(shown.trend == [.init(date: noon - 43_200, value: 80)])
        #expect(shown.notes == [note] && shown.unit == "kg")
    }

    @Test("without weights there is no trend and no rate")
    func empty() async throws {
        let shown = try await page(world())
        #expect(
            shown.sentence == """
                No weight. Either none was recorded, or reading is not allowed; the system doesn't \
                report which.
                """)
        #expect(shown.measured.isEmpty && shown.trend.isEmpty)
    }

    @Test("a day's weights are averaged in one unit, and gaps increase the smoothing factor")
    func trend() async throws {
        let world = try world("UTC")
        let day = try world.start(of: first)
        try await world.save(.bodyMass, 80, .gramUnit(with: .kilo), at: day + 3600)
        try await world.save(.bodyMass, 81_000, .gram(), at: day + 7200)
        try await world.save(.bodyMass, 79 / 0.453_592_37, .pound(), at: day + 4 * 86_400)
        let shown = try await page(world)
        for (value, expected) in zip(shown.measured.map(\.value), [80.0, 81, 79]) {
            #expect(abs(value - expected) < 1e-9)
        }
        #expect(shown.trend.map(\.date) == [day, day + 4 * 86_400])
        // Four days later; each moves a tenth of the way from 80.5 to 79.
        var expected = 80.5
        for _ in 0..<4 { expected += (79 - expected) / 10 }
        #expect(shown.trend[0].value == 80.5)
        #expect(abs(shown.trend[1].value - expected) < 1e-9)
    }

    @Test(
        "the rate is the slope of the regression line, with its direction",
        arguments: [
            (-0.1, "falling 0.7 kg per week"), (0.05, "rising 0.4 kg per week"),
            (0.0, "steady"), (0.007, "steady"),
        ])
    func rate(aDay: Double, words: String) async throws {
        let world = try world()
        // Across a clock change: days are counted, not hours.
        for number in 0..<40 {
            let noon = try world.start(of: first.advanced(by: number)) + 43_200
            try await world.save(
                .bodyMass, 80 + aDay * Double(number), .gramUnit(with: .kilo), at: noon)
        }
        let shown = try await page(world)
        #expect(shown.sentence.contains(" kg on 9 April 2024, \(words)"))
        #expect(shown.sentence.hasSuffix("over the last four weeks."))
        let midnights = try (0..<40).map { try world.start(of: first.advanced(by: $0)) }
        #expect(shown.trend.map(\.date) == midnights)
    }
}
