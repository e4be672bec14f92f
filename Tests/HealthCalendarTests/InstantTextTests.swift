import HealthTesting
import Testing

@testable import HealthCalendar

@Suite struct InstantTextTests {
    @Test(
        "an instant is written with as many decimals as it needs",
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (794_044_800.25, "2026-03-01T08:00:00.25Z"),
            (-0.25, "2000-12-31T23:59:59.75Z"), (-86_400, "2000-12-31T00:00:00Z"),
            (-1, "2000-12-31T23:59:59Z"), (0.1, "2001-01-01T00:00:00.1Z"),
            (1.5e-7, "2001-01-01T00:00:00.00000015Z"),
            (-1.5e-7, "2000-12-31T23:59:59.99999985Z"),
            (63_113_904_000, "4001-01-01T00:00:00Z"),
            (-63_113_904_000, "0001-01-01T00:00:00Z"),
            (252_423_993_599, "9999-12-31T23:59:59Z"),
            (-978_307_199.5, "1970-01-01T00:00:00.5Z"),
        ])
    func written(seconds: Double, text: String) {
        #expect(InstantText.text(seconds) == text)
        #expect(InstantText.seconds(text)?.bitPattern == seconds.bitPattern)
    }

    @Test("every double from year 1 to 9999 survives, bit by bit")
    func roundTrip() {
        var random = SeededRandom(seed: 17)
        for index in 0..<20_000 {
            let range = [-6.3e10...2.5e11, 7e8...8e8, -1...1, -1e-9...1e-9][index % 4]
            let seconds = Double.random(in: range, using: &random)
            let text = InstantText.text(seconds) ?? ""
            #expect(InstantText.seconds(text)?.bitPattern == seconds.bitPattern, "\(seconds)")
        }
    }

    @Test(
        "years outside 1 to 9999 and numbers that aren't finite have no text",
        arguments: [.nan, .infinity, -.infinity, 252_423_993_600, -63_113_904_001, 1e300])
    func outside(seconds: Double) { #expect(InstantText.text(seconds) == nil) }

    @Test(
        "offsets, small letters and second 60 are read",
        arguments: [
            ("2026-03-01T09:00:00.25+01:00", 794_044_800.25),
            ("2026-03-01t02:30:00-05:30", 794_044_800),
            ("2026-03-01T07:59:60z", 794_044_800),
            ("2026-03-01T08:00:00.2500000000000000000000000000000000000000000Z", 794_044_800.25),
        ])
    func read(text: String, seconds: Double) { #expect(InstantText.seconds(text) == seconds) }

    @Test(
        "other texts are not read",
        arguments: [
            "", "2026-03-01", "2026-03-01T08:00:00", "2026-02-29T08:00:00Z", "2026-03-01T24:00:00Z",
            "2026-03-01T08:00:00.Z", "2026-03-01T08:00Z", "0000-01-01T00:00:00Z",
            "2026-03-01T08:00:00Zx", "2026-03-01T08:00:00+0100", "２026-03-01T08:00:00Z",
        ])
    func other(text: String) { #expect(InstantText.seconds(text) == nil) }
}
