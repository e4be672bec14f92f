// Awaited reads whose errors become 0 or an empty list on their way to a store.
import Foundation
import HealthKit
import SwiftData

@Model final class DayRecord {
    var day: Date
    var energy: Double

    init(day: Date, energy: Double) { (self.day, self.energy) = (day, energy) }
}

struct Journal {
    let store: HKHealthStore
    let context: ModelContext

    private func energy(on day: Date) async -> Double {
        let end = Calendar.current.date(byAdding: .day, value: 1, to: day)
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.activeEnergyBurned),
                predicate: HKQuery.predicateForSamples(withStart: day, end: end)),
            options: .cumulativeSum)
        do {
            let result = try await descriptor.result(for: store)
            return result?.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
        } catch {
            print("no energy: \(error.localizedDescription)")
            return 0  // finds error-as-zero
        }
    }

    func record(_ day: Date) async throws {
        let energy = await energy(on: day)
        context.insert(DayRecord(day: day, energy: energy))
        try context.save()
    }
}

struct SleepCache {
    let store: HKHealthStore
    let file: URL

    private func nights() async throws -> [HKCategorySample] {
        let week = HKQuery.predicateForSamples(withStart: .now.addingTimeInterval(-604_800), end: nil)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .categorySample(type: HKCategoryType(.sleepAnalysis), predicate: week)
            ], sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store)
    }

    /// The file of the last good read is overwritten with an empty list.
    func refresh() async throws {
        let nights = (try? await nights()) ?? []  // finds error-as-zero
        let ends = nights.map(\.endDate)
        let data = try JSONEncoder().encode(ends)
        try data.write(to: file)
    }

    func count() async {
        let nights = (try? await nights()) ?? []  // finds error-as-zero
        UserDefaults.standard.set(nights.count, forKey: "nights")
    }
}
