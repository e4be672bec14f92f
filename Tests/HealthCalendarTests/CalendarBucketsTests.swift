import Foundation
import HealthCalendar
import HealthEngine
import HealthTesting
import Testing

@Suite("Calendar buckets")
struct CalendarBucketsTests {
    private func buckets(_ zone: String, firstWeekday: Int = 2) throws -> CalendarBuckets {
        CalendarBuckets(
            timeZone: try #require(TimeZone(identifier: zone)), firstWeekday: firstWeekday)
    }

    @Test(
        "a date that a zone had twice is one bucket, and the days around it go on",
        arguments: [
            ("Pacific/Kwajalein", CivilDate(1969, 9, 28), CivilDate(1969, 10, 4)),
            ("Pacific/Apia", CivilDate(1892, 7, 1), CivilDate(1892, 7, 8)),
            ("Pacific/Pago_Pago", CivilDate(1892, 7, 1), CivilDate(1892, 7, 8)),
        ])
    func repeatedDates(zone: String, first: CivilDate, last: CivilDate) throws {
        let calendar = CalendarBuckets(timeZone: try #require(TimeZone(identifier: zone)))
        let (from, to) = (
            try #require(calendar.start(of: first)), try #require(calendar.start(of: last))
        )
        let days = try calendar.edges(from: from, to: to, by: .day)
        #expect(days.first == from && days.last == to)
        #expect(zip(days, days.dropFirst()).allSatisfy { $0 < $1 })
        #expect(days.count == last.dayNumber - first.dayNumber + 1)
        let hours = try calendar.edges(from: from, to: to, by: .hour)
        #expect(zip(hours, hours.dropFirst()).allSatisfy { $0 < $1 && $1 - $0 <= 3600 })
        #expect(hours.count <= days.count * 50)
    }

    @Test("boundaries are those that Python's zoneinfo finds")
    func boundaries() throws {
        let known = try CalendarRequest.boundaries()
        #expect(known.count > 60)
        for (request, boundaries) in known {
            #expect(try request.edges() == boundaries, "\(request)")
        }
    }

    @Test("days of random ranges in every zone are adjacent, without gaps or overlaps")
    func randomDays() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let zones = TimeZone.knownTimeZoneIdentifiers.filter { !$0.hasPrefix("posix/") }.sorted()
        #expect(zones.count > 300)
        for name in zones {
            let zone = try buckets(name, firstWeekday: Int.random(in: 1...7, using: &random))
            // From 1972 to 2037: dates of phones, and dates that users enter.
            let from = Double.random(in: -915_000_000...1_138_000_000, using: &random)
            for unit in CalendarStep.allCases {
                let days = unit == .hour ? 3.0 : unit == .day ? 40 : 1500
                let to = from + Double.random(in: 1...days * 86400, using: &random)
                let edges = try zone.edges(from: from, to: to, by: unit)
                let place = "\(name) \(unit) \(from) \(to), seed \(seed)"
                try expectBoundaries(edges, from, to, place)
                if unit != .hour {
                    for edge in edges {
                        #expect(zone.day(edge - 1) < zone.day(edge), "\(edge): \(place)")
                    }
                }
                #expect(zone.start(of: unit, at: from) == edges.first, "\(place)")
                for (edge, next) in zip(edges, edges.dropFirst()) {
                    let inside = Double.random(in: edge..<next, using: &random)
                    #expect(zone.start(of: unit, at: inside) == edge, "\(inside): \(place)")
                }
            }
        }
    }

    private func expectBoundaries(
        _ edges: [Double], _ from: Double, _ to: Double, _ place: String
    ) throws {
        #expect(zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 }, "ascending: \(place)")
        try #require(edges.count > 1, "\(place)")
        #expect(edges[0] <= from && from < edges[1], "\(place)")
        #expect(edges[edges.count - 1] >= to && to > edges[edges.count - 2], "\(place)")
    }

    @Test("weeks begin on the configured weekday", arguments: 1...7)
    func weeks(firstWeekday: Int) throws {
        let zone = try buckets("Europe/Berlin", firstWeekday: firstWeekday)
        let from = try zone.time("2023-12-20")
        let edges = try zone.edges(from: from, to: try zone.time("2024-04-10"), by: .week)
        for edge in edges {
            // 2001-01-01 was a Monday, weekday 2.
            let local = edge + (edge < 733_536_000 ? 3600 : 7200)
            let weekday = (Int(local / 86400) + 1) % 7 + 1
            #expect(weekday == firstWeekday, "\(zone.text(edge))")
        }
    }

    @Test("an interval counts from its anchor both ways")
    func anchored() throws {
        let zone = try buckets("Europe/Berlin")
        let anchor = try zone.time("2024-01-31")
        let edges = try zone.edges(
            from: try zone.time("2023-09-15"), to: try zone.time("2024-04-01"),
            every: DateComponents(month: 1), anchoredAt: anchor)
        #expect(
            edges.map(zone.day) == [
                "2023-08-31", "2023-09-30", "2023-10-31", "2023-11-30", "2023-12-31", "2024-01-31",
                "2024-02-29", "2024-03-31", "2024-04-30",
            ])
    }

    @Test("a far anchor finds the same days as a near one")
    func farAnchor() throws {
        let zone = try buckets("America/New_York")
        let (from, to) = try (zone.time("2024-03-01"), zone.time("2024-04-01"))
        for anchor in ["1990-05-31", "2024-03-10", "2090-11-05"] {
            let edges = try zone.edges(
                from: from, to: to, every: DateComponents(day: 1),
                anchoredAt: try zone.time(anchor))
            #expect(try edges == zone.edges(from: from, to: to, by: .day), "\(anchor)")
        }
    }

    @Test(
        "an interval without a length is rejected",
        arguments: [
            DateComponents(), DateComponents(day: 0), DateComponents(day: -1),
            DateComponents(nanosecond: 5), DateComponents(day: 1, nanosecond: 5),
            DateComponents(day: .max), DateComponents(weekday: 2), DateComponents(quarter: 1),
            DateComponents(month: 1, day: -30),
            // The first bucket would last 18 hours, and most others would run backwards.
            DateComponents(year: 1, hour: -8766 + 24),
        ])
    func badInterval(_ interval: DateComponents) throws {
        let zone = try buckets("UTC")
        #expect(throws: CalendarError.self) {
            try zone.edges(from: 0, to: 86400, every: interval, anchoredAt: 0)
        }
    }

    @Test(
        "a range that is empty, endless or too fine is refused",
        arguments: [
            (0.0, 0.0), (1.0, 0.0), (.nan, 1.0), (0.0, .infinity), (-.infinity, 0.0),
            (0.0, 1e300),
        ])
    func badRange(from: Double, to: Double) throws {
        let zone = try buckets("UTC")
        for unit in CalendarStep.allCases {
            #expect(throws: CalendarError.self) {
                try zone.edges(from: from, to: to, by: unit)
            }
        }
        #expect(throws: CalendarError.self) {
            try zone.edges(
                from: 0, to: 1e9, every: DateComponents(second: 1), anchoredAt: 0)
        }
        #expect(throws: CalendarError.self) {
            try zone.edges(
                from: 0, to: 86400, every: DateComponents(day: 1), anchoredAt: .infinity)
        }
    }

    @Test("an hour repeated after midnight belongs to the new day")
    func clocksBackOverMidnight() throws {
        // At 00:01 on 30 October 2005 the clocks of Goose Bay went back to 23:01.
        let zone = try buckets("America/Goose_Bay")
        let midnight = try zone.time("2005-10-30")
        #expect(zone.text(midnight) == "2005-10-30T00:00:00-03:00")
        #expect(zone.text(midnight + 60) == "2005-10-29T23:01:00-04:00")
        for minute in [0.0, 1, 30, 59, 60, 120] {
            let time = midnight + minute * 60
            #expect(zone.start(of: .day, at: time) == midnight, "\(minute)")
            let edges = try zone.edges(from: time, to: time + 1, by: .day)
            #expect(edges == [midnight, midnight + 25 * 3600], "\(minute)")
        }
        #expect(zone.start(of: .day, at: midnight - 1) == midnight - 86400)
    }

    @Test("a day that the zone skipped is no day")
    func skippedDay() throws {
        let apia = try buckets("Pacific/Apia")
        #expect(apia.start(year: 2011, month: 12, day: 30) == nil)
        #expect(apia.start(year: 2024, month: 2, day: 30) == nil)
        let error = #expect(throws: CalendarError.self) { try apia.time("2011-12-30") }
        #expect(error?.description == "2011-12-30 doesn't exist in Pacific/Apia.")
    }
}
