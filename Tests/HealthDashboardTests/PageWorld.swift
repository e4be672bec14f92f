import Foundation
import HealthCalendar
import HealthEngine
import OpenHealthKit
import Testing

@testable import HealthDashboard

/// An in-memory store, and its pages in a time zone at a given time.
struct PageWorld {
    let store = HKHealthStore.inMemory(
        configuration: HealthStoreConfiguration(authorization: .assumed))
    let service: HealthKitService
    let context: PageContext

    /// Creates a store and a service.
    ///
    /// - Parameter now: The current time for the pages.
    init(_ zone: String, now: Date) throws {
        let calendar = Calendar.gregorian(in: try #require(TimeZone(identifier: zone)))
        service = HealthKitService(store: store, calendar: calendar, now: { now })
        context = PageContext(now: now, calendar: calendar)
    }

    func start(of day: CivilDate) throws -> Date {
        try #require(context.calendar.interval(of: day)).start
    }

    /// Returns the interval from the start of one day to the end of another.
    func range(_ first: CivilDate, _ last: CivilDate) throws -> DateInterval {
        DateInterval(
            start: try start(of: first), end: try #require(context.calendar.interval(of: last)).end)
    }

    func save(
        _ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, at start: Date,
        seconds: Double = 0
    ) async throws {
        try await store.save(
            HKQuantitySample(
                type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
                start: start, end: start + seconds))
    }

    func sleep(
        _ value: HKCategoryValueSleepAnalysis, from start: Date, hours: Double
    ) async throws {
        try await store.save(
            HKCategorySample(
                type: HKCategoryType(.sleepAnalysis), value: value.rawValue, start: start,
                end: start + hours * 3600))
    }

    func trends(
        _ metric: Metric, by step: CalendarStep, _ first: CivilDate, _ last: CivilDate
    ) async throws -> TypePage {
        try await TypePage(
            of: service, metric, by: step, over: range(first, last), among: [metric],
            context: context)
    }
}
