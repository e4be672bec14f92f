import Foundation
import HealthTesting
import Testing

@testable import HealthIntake

@Suite struct IntakeDateTests {
    @Test("a date with “T” is the same double as the date with a space, which is read another way")
    func bothWays() throws {
        var random = SeededRandom(seed: 17)
        let endings = ["Z", "+00:00", "-09:30", "+14:00", "+18:59", "-00:45"]
        for _ in 0..<2_000 {
            let text = String(
                format: "%04d-%02d-%02dT%02d:%02d:%02d", Int.random(in: 1...9999, using: &random),
                Int.random(in: 1...12, using: &random), Int.random(in: 1...31, using: &random),
                Int.random(in: 0...23, using: &random), Int.random(in: 0...59, using: &random),
                Int.random(in: 0...59, using: &random))
            let fraction = [
                "", ".5", ".25", ".123", ".999999", ".1234567890123456", ".000000000000000001",
            ].randomElement(using: &random)!
            let sent = text + fraction + endings.randomElement(using: &random)!
            let plain = IntakeDate.reading(sent)
            let general = IntakeDate.reading(sent.replacing("T", with: " "))
            #expect(plain == general, "\(sent)")
        }
    }

    @Test("a date in UTC is the instant that Foundation reads")
    func foundation() throws {
        var random = SeededRandom(seed: 18)
        for _ in 0..<500 {
            let seconds = Double(Int.random(in: -978_307_200...3_000_000_000, using: &random))
            let text = Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
            #expect(IntakeDate.reading(text)?.seconds == seconds, "\(text)")
        }
    }

    @Test(
        "a day or time that doesn’t exist is no date",
        arguments: [
            "2026-02-29T10:00:00Z", "2026-13-01T10:00:00Z", "2026-01-01T25:00:00Z",
            "2026-01-01T10:60:00Z", "2026-01-01T10:00:61Z", "0000-01-01T10:00:00Z",
            "2026-01-01T10:00:00+19:00", "2026-01-01T10:00:00+01:60", "2026-01-01T10:00:00.Z",
            "2026-01-01T10:00:00Zx", "2026-01-0aT10:00:00Z", "2026-01-01T10:00:00.5",
        ])
    func invalid(text: String) {
        let read = IntakeDate.reading(text)
        // Without an offset, the text is a date.
        #expect((read == nil) == !text.hasSuffix(".5"), "\(text)")
    }
}
