// Starts of sessions, choices of a person, borders of a page: dates that mean a window.
import HealthKit
import SwiftUI

final class Session {
    private var startDate: Date?
    @AppStorage("programStart") private var programStart = 0.0
    private var lastPeriodStart: Date?
    private var page = Date.distantPast

    func begin() -> NSPredicate {
        startDate = Date()
        return HKQuery.predicateForSamples(withStart: startDate, end: nil)
    }

    func program() -> NSPredicate {
        HKQuery.predicateForSamples(
            withStart: Date(timeIntervalSince1970: programStart), end: .now)
    }

    func cycle() -> NSPredicate {
        HKQuery.predicateForSamples(withStart: lastPeriodStart, end: nil)
    }

    func before(_ date: Date) -> NSPredicate {
        HKQuery.predicateForSamples(withStart: Date.distantPast, end: date)
    }

    func lastWeek() -> NSPredicate {
        let lastWeekStart = Calendar.current.date(byAdding: .day, value: -7, to: Date())
        return HKQuery.predicateForSamples(withStart: lastWeekStart, end: Date())
    }
}
