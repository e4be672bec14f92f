// Awaited reads and throwing calls that are taken for granted.
import HealthKit

struct Profile {
    let store: HKHealthStore

    var yearOfBirth: Int {
        try! store.dateOfBirthComponents().year ?? 0  // finds fatal-on-failure
    }

    private func nights() async throws -> [HKCategorySample] {
        let week = HKQuery.predicateForSamples(withStart: .now.addingTimeInterval(-604_800), end: nil)
        return try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis), predicate: week)],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)]
        ).result(for: store)
    }

    func lastNight() async -> Date {
        let nights = try! await nights()  // finds fatal-on-failure
        return nights.first?.startDate ?? .now
    }

    func wokeAt() async throws -> Date {
        let nights = try await nights()
        return nights.first!.endDate  // finds fatal-on-failure
    }

    func load() async -> [Date] {
        do {
            return try await nights().map(\.endDate)
        } catch {
            preconditionFailure("sleep: \(error)")  // finds fatal-on-failure
        }
    }
}

struct WeekChart {
    func bars(_ collection: HKStatisticsCollection, from start: Date, to end: Date) -> [Double] {
        var bars: [Double] = []
        collection.enumerateStatistics(from: start, to: end) { statistics, _ in
            bars.append(statistics.sumQuantity()!.doubleValue(for: .count()))  // finds fatal-on-failure
        }
        return bars
    }

    func kilometres(_ workouts: [HKWorkout]) -> [Double] {
        workouts.map { $0.totalDistance!.doubleValue(for: .meterUnit(with: .kilo)) }  // finds fatal-on-failure
    }
}

struct Permission {
    let store: HKHealthStore

    func ask(_ types: Set<HKObjectType>) {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            guard success else {
                fatalError("no permission: \(String(describing: error))")  // finds fatal-on-failure
            }
        }
    }

    func write(_ sample: HKSample) async {
        try! await store.save(sample)  // finds fatal-on-failure
    }
}
