import Foundation
import HealthCalendar
import HealthEngine
import HealthTesting
import Testing

@Suite(
    "days, weeks, months, years and nights are those of an implementation in Python",
    .comparedWithPython)
struct ZoneCalendarTests {
    @Test("from 1970 to 2050 of zones with odd rules")
    func oddZones() throws {
        #expect(try compare(ZoneAgreementTests.odd) == Set(ZoneAgreementTests.odd))
    }

    @Test("from 1970 to 2050 of every zone that Foundation knows", .inTestAll)
    func everyZone() throws {
        #expect(try compare(TimeZone.knownTimeZoneIdentifiers).count > 300)
    }

    /// Compares zones, and returns the names of those that Python knows.
    private func compare(_ zones: [String]) throws -> Set<String> {
        var names: Set<String> = []
        for line in try ZoneCalendar.lines(of: zones) {
            let known = try #require(ZoneCalendar(line), "\(line.prefix(80))")
            let zone = try #require(TimeZone(identifier: known.zone), "\(known.zone)")
            for kind in ZoneCalendar.Kind.allCases {
                let calendar = CalendarBuckets(timeZone: zone, firstWeekday: kind.firstWeekday)
                try expectBoundaries(of: kind, known, calendar)
            }
            let calendar = CalendarBuckets(timeZone: zone)
            try expectNights(known, calendar)
            try expectSleepDays(known, calendar)
            names.insert(known.zone)
        }
        return names
    }

    private func expectBoundaries(
        of kind: ZoneCalendar.Kind, _ known: ZoneCalendar, _ calendar: CalendarBuckets
    ) throws {
        let boundaries = try #require(known.boundaries[kind])
        try #require(boundaries.count > 80, "\(known.zone)")
        let edges = try calendar.edges(
            from: boundaries[0], to: boundaries[boundaries.count - 1], by: kind.step)
        #expect(difference(edges, boundaries) == nil, "\(kind) of \(known.zone)")
        // The days around each change are compared in ZoneAgreementTests.
        guard kind != .day else { return }
        for change in known.changes {
            guard let around = known.bucket(kind, at: change) else { continue }
            for time in [change - 1, change, around.start - 1, around.end] {
                guard let bucket = known.bucket(kind, at: time) else { continue }
                #expect(
                    calendar.start(of: kind.step, at: time) == bucket.start,
                    "\(kind) at \(time) in \(known.zone)")
                #expect(
                    calendar.end(of: kind.step, at: time) == bucket.end,
                    "\(kind) at \(time) in \(known.zone)")
            }
        }
    }

    private func expectNights(_ known: ZoneCalendar, _ calendar: CalendarBuckets) throws {
        let dates = Calendar.gregorian(in: calendar.clock.zone)
        for change in known.changes {
            let near = known.lastNoon(at: change)
            guard near > 0, near + 3 < known.noons.count else { continue }
            let noons = [known.noons[near], known.noons[near + 1]]
            for time in noons.flatMap({ [$0 - 1, $0] }) + [change - 1, change] {
                let begin = known.lastNoon(at: time)
                let (start, end) = (known.noons[begin], known.noons[begin + 1])
                let morning = known.date(ofNoon: begin + 1)
                let night = calendar.noonToNoon(containing: time)
                #expect(
                    night.start == start && night.end == end && night.morning == morning,
                    "the night of \(time) in \(known.zone)")
            }
            let (interval, morning) = dates.noonToNoon(
                containing: Date(timeIntervalSinceReferenceDate: change))
            let day = known.date(ofNoon: near + 1)
            #expect(
                interval.start.timeIntervalSinceReferenceDate == known.noons[near]
                    && interval.end.timeIntervalSinceReferenceDate == known.noons[near + 1]
                    && morning.year == day.year && morning.month == day.month
                    && morning.day == day.day, "the night of \(change) in \(known.zone)")
        }
    }

    private func expectSleepDays(_ known: ZoneCalendar, _ calendar: CalendarBuckets) throws {
        let moments = known.sleepMoments
        for (cut, days) in known.sleepDays {
            try #require(days.count == moments.count, "\(known.zone)")
            let found = moments.map { calendar.day(ofSleepAt: $0, cut: cut).dayNumber }
            guard let (index, _) = zip(found, days).enumerated().first(where: { $1.0 != $1.1 })
            else { continue }
            Issue.record(
                """
                the sleep of \(moments[index]) in \(known.zone), cut at \(cut): day \
                \(CivilDate(dayNumber: found[index])) instead of \
                \(CivilDate(dayNumber: days[index]))
                """)
        }
    }

    /// Returns a description of the first difference; nil for equal lists.
    private func difference(_ found: [Double], _ known: [Double]) -> String? {
        if let (one, other) = zip(found, known).first(where: { $0 != $1 }) {
            return "\(one) instead of \(other)"
        }
        return found.count == known.count ? nil : "\(found.count) instead of \(known.count)"
    }
}
