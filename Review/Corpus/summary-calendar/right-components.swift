// Components that carry their calendar, or may.
import HealthKit

struct Rings {
    let calendar = Calendar.current

    func listed() -> NSPredicate {
        let components = calendar.dateComponents([.calendar, .year, .month, .day], from: Date())
        return HKQuery.predicateForActivitySummary(with: components)
    }

    func set(_ date: Date) -> NSPredicate {
        var components = Calendar.current.dateComponents([.day, .month, .year, .era], from: date)
        components.calendar = Calendar.current
        return HKQuery.predicateForActivitySummary(with: components)
    }

    func between(_ start: Date, _ end: Date) -> NSPredicate {
        let units: Set<Calendar.Component> = [.day, .month, .year, .era, .calendar]
        return HKQuery.predicate(
            forActivitySummariesBetweenStart: calendar.dateComponents(units, from: start),
            end: calendar.dateComponents(units, from: end))
    }

    func inZone(_ date: Date) -> NSPredicate {
        HKQuery.predicateForActivitySummary(
            with: calendar.dateComponents(in: .current, from: date))
    }

    func made() -> NSPredicate {
        let day = DateComponents(calendar: calendar, year: 2024, month: 1, day: 1)
        return HKQuery.predicateForActivitySummary(with: day)
    }

    func byHelper(_ date: Date) -> NSPredicate {
        HKQuery.predicateForActivitySummary(with: components(of: date))
    }

    private func components(of date: Date) -> DateComponents {
        var result = calendar.dateComponents([.day, .month, .year], from: date)
        result.calendar = calendar
        return result
    }

    func given(_ components: DateComponents) -> NSPredicate {
        HKQuery.predicateForActivitySummary(with: components)
    }

    func prepared(_ date: Date) -> NSPredicate {
        var components = calendar.dateComponents([.day, .month, .year], from: date)
        prepare(&components)
        return HKQuery.predicateForActivitySummary(with: components)
    }

    private func prepare(_ components: inout DateComponents) { components.calendar = calendar }

    func copied(_ date: Date) -> NSPredicate {
        var full = calendar.dateComponents([.day, .month, .year], from: date)
        full.calendar = calendar
        let day = full
        return HKQuery.predicateForActivitySummary(with: day)
    }

    func bothInLoop(_ dates: [Date]) -> NSPredicate {
        var days = dates.map { calendar.dateComponents([.day, .month, .year], from: $0) }
        for place in days.indices { days[place].calendar = calendar }
        return HKQuery.predicate(forActivitySummariesBetweenStart: days[0], end: days[1])
    }

    func ofSummary(_ summary: HKActivitySummary) -> NSPredicate {
        HKQuery.predicateForActivitySummary(with: summary.dateComponents(for: calendar))
    }

    func otherPredicate(_ date: Date) -> NSPredicate {
        HKQuery.predicateForSamples(withStart: date, end: nil, options: .strictStartDate)
    }
}
