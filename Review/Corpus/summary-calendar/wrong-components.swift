// Date components without a calendar, made in the ways apps make them.
import HealthKit

struct Rings {
    let store: HKHealthStore
    let calendar = Calendar.current

    func today() -> NSPredicate {
        let components = Calendar.current.dateComponents([.year, .month, .day], from: Date())
        return HKQuery.predicateForActivitySummary(with: components)  // finds summary-calendar
    }

    func todayInOneLine() -> NSPredicate {
        HKQuery.predicateForActivitySummary(
            with: calendar.dateComponents([.day, .month, .year, .era], from: Date()))  // finds summary-calendar
    }

    func week(from start: Date, to end: Date) -> NSPredicate {
        let units: Set<Calendar.Component> = [.day, .month, .year, .era]
        var first = calendar.dateComponents(units, from: start)
        first.calendar = calendar
        let last = calendar.dateComponents(units, from: end)
        return HKQuery.predicate(
            forActivitySummariesBetweenStart: first,
            end: last)  // finds summary-calendar
    }

    func fixed() -> NSPredicate {
        let start = DateComponents(year: 2024, month: 1, day: 1)
        let end = DateComponents(year: 2024, month: 1, day: 31)
        return HKQuery.predicate(forActivitySummariesBetweenStart: start, end: end)  // finds summary-calendar
    }

    func byHelper(_ day: Date) -> NSPredicate {
        HKQuery.predicateForActivitySummary(with: components(of: day))  // finds summary-calendar
    }

    private func components(of day: Date) -> DateComponents {
        calendar.dateComponents([.year, .month, .day], from: day)
    }

    func bySteps() -> NSPredicate {
        var day = DateComponents()
        day.year = 2024
        day.month = 5
        day.day = 4
        return HKQuery.predicateForActivitySummary(with: day)  // finds summary-calendar
    }

    func byExtension(_ day: Date) -> NSPredicate {
        let formatter = DateFormatter()
        formatter.calendar = calendar
        print(formatter.string(from: day))
        return HKQuery.predicateForActivitySummary(with: day.summaryDay)  // finds summary-calendar
    }
}

extension Date {
    var summaryDay: DateComponents {
        Calendar.current.dateComponents([.era, .year, .month, .day], from: self)
    }
}
