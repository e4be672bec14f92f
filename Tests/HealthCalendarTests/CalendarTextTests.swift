import Foundation
import HealthCalendar
import HealthTesting
import Testing

@Suite("dates are read and written as ISO 8601")
struct CalendarTextTests {
    private func buckets(_ zone: String) throws -> CalendarBuckets {
        CalendarBuckets(timeZone: try #require(TimeZone(identifier: zone)))
    }

    @Test(
        "every form that people write is understood",
        arguments: [
            ("2024-03-31", 733_532_400), ("2024-03-31T00:00:00+01:00", 733_532_400),
            ("2024-03-31T00:00+01:00", 733_532_400), ("2024-03-30T23:00:00Z", 733_532_400),
            ("2024-03-31T04:45:00+0545", 733_532_400), ("2024-03-30T22+01", 0),
            ("2024-03-30T19:30:00.250-03:30", 733_532_400.25),
            ("2024-03-31T00:00:00.123456+01", 733_532_400.123456), ("2001-01-01T00:00Z", 0),
            ("2000-12-31T23:59:59.5Z", -0.5), ("2024-03-31T00:00", 733_532_400),
            ("2024-03-31T00:00:00.25", 733_532_400.25), ("2024-03-31T03:00", 733_539_600),
            ("2024-10-27T02:30", 751_681_800),
        ])
    func reading(text: String, time: Double) throws {
        let berlin = try buckets("Europe/Berlin")
        if text == "2024-03-30T22+01" {
            #expect(throws: CalendarError.self) { try berlin.time(text) }
        } else {
            #expect(try berlin.time(text) == time)
        }
    }

    @Test(
        "what is no date is named",
        arguments: [
            "", "yesterday", "2024", "2024-3-10", "2024-13-01", "2024-02-30", "2024-00-10",
            "2024-+1-10", "20240310", "2024-03-10T08", "2024-03-10T25:00", "2024-03-10T25:00Z",
            "2024-03-10T08:60Z", "2024-03-10T08:30:61Z", "2024-03-10T08:30:00.Z",
            "2024-03-10T08:30:00+25:00", "2024-03-10T08:30:00+01:", "2024-03-10T08:30:00+1",
            "2024-03-10T08:30:00Zx", "2024-03-10 ", "２０２４-03-10", "2024-03-10T08:30:00+01:00:00",
        ])
    func refusing(_ text: String) throws {
        let berlin = try buckets("Europe/Berlin")
        let error = #expect(throws: CalendarError.self) { try berlin.time(text) }
        #expect(error == .notADate(text))
        #expect(error?.description.contains("Unknown date “\(text)”") == true)
    }

    @Test("a local time that the clocks skipped doesn't exist")
    func skippedTime() throws {
        let berlin = try buckets("Europe/Berlin")
        let error = #expect(throws: CalendarError.self) { try berlin.time("2024-03-31T02:30") }
        #expect(error == .skipped("2024-03-31T02:30", zone: "Europe/Berlin"))
    }

    @Test(
        "a day that its month does not have is named", arguments: ["2026-02-30", "2026-02-30T08Z"])
    func missingDay(_ text: String) throws {
        let berlin = try buckets("Europe/Berlin")
        let error = #expect(throws: CalendarError.self) { try berlin.time(text) }
        #expect(error?.description == "Unknown date “\(text)”. There is no 30 February 2026.")
    }

    @Test(
        "moments are written with the offset of their place and day",
        arguments: [
            ("Europe/Berlin", 733_532_400, "2024-03-31T00:00:00+01:00", "2024-03-31"),
            ("Europe/Berlin", 733_539_600, "2024-03-31T03:00:00+02:00", "2024-03-31"),
            ("Asia/Kathmandu", 0, "2001-01-01T05:45:00+05:45", "2001-01-01"),
            ("America/St_Johns", 0.25, "2000-12-31T20:30:00.250-03:30", "2000-12-31"),
            ("UTC", -0.001, "2000-12-31T23:59:59.999+00:00", "2000-12-31"),
            ("UTC", 0.9996, "2001-01-01T00:00:01+00:00", "2001-01-01"),
            ("Africa/Monrovia", -978_307_200, "1969-12-31T23:16:00-00:44", "1969-12-31"),
            ("UTC", 63_113_904_000, "4001-01-01T00:00:00+00:00", "4001-01-01"),
            ("UTC", -978_307_200, "1970-01-01T00:00:00+00:00", "1970-01-01"),
            ("UTC", 99_681_600, "2004-02-28T17:20:00+00:00", "2004-02-28"),
        ])
    func writing(zone: String, time: Double, text: String, day: String) throws {
        let buckets = try buckets(zone)
        #expect(buckets.text(time) == text)
        #expect(buckets.day(time) == day)
    }

    @Test("no number is too large to be written", arguments: [.nan, .infinity, 1e300, -1e17, 1e15])
    func unwritable(_ time: Double) throws {
        let utc = try buckets("UTC")
        _ = utc.text(time)
        _ = utc.day(time)
        if !time.isFinite { #expect(utc.text(time) == "" && utc.day(time) == "") }
    }

    @Test("what is written reads back as the same moment, in every zone")
    func roundTrip() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for name in TimeZone.knownTimeZoneIdentifiers.sorted() {
            let zone = try buckets(name)
            for _ in 0..<8 {
                let milliseconds = Int64.random(
                    in: -3_000_000_000_000...3_000_000_000_000, using: &random)
                let whole = Double(milliseconds / 1000)
                #expect(try zone.time(zone.text(whole)) == whole, "\(name), seed \(seed)")
                let time = Double(milliseconds) / 1000
                let back = try zone.time(zone.text(time))
                #expect(abs(back - time) < 1e-6, "\(name) \(time), seed \(seed)")
            }
        }
    }
}
