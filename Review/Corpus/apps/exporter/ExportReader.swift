// Reads what is exported, as rows of text.
import Foundation
import HealthKit

struct ExportReader {
    let store: HKHealthStore
    private let stamp = Date.ISO8601FormatStyle(timeZone: .gmt)

    func days(of column: Column, in range: DateInterval) async throws -> [[String]] {
        guard let type = column.quantityType else { return [] }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let predicate = HKQuery.predicateForSamples(withStart: range.start, end: range.end)
        let collection = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: type, predicate: predicate),
            options: column.options,
            anchorDate: calendar.startOfDay(for: range.start),  // finds utc-anchor-date
            intervalComponents: DateComponents(day: 1)
        ).result(for: store)
        var rows: [[String]] = []
        collection.enumerateStatistics(from: range.start, to: range.end) { statistics, _ in
            let quantity = statistics.sumQuantity() ?? statistics.averageQuantity()
            guard let value = quantity?.doubleValue(for: column.unit) else { return }
            rows.append(
                row(
                    column, statistics.startDate, statistics.endDate, String(value),
                    column.unit.unitString, ""))
        }
        return rows
    }

    func weights() async throws -> [[String]] {
        let samples = try await HKSampleQueryDescriptor(  // finds unbounded-query
            predicates: [.quantitySample(type: HKQuantityType(.bodyMass))],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        return samples.map { sample in
            let kilograms = sample.quantity.doubleValue(for: .gramUnit(with: .kilo))
            return row(
                .weight, sample.startDate, sample.endDate, String(kilograms), "kg",
                sample.sourceRevision.source.name)
        }
    }

    func sleep(in range: DateInterval) async throws -> [[String]] {
        let predicate = HKQuery.predicateForSamples(withStart: range.start, end: range.end)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .categorySample(type: HKCategoryType(.sleepAnalysis), predicate: predicate)
            ],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        return samples.map { sample in
            row(
                .sleep, sample.startDate, sample.endDate, stage(sample.value), "",
                sample.sourceRevision.source.name)
        }
    }

    func workouts(in range: DateInterval) async throws -> [[String]] {
        let predicate = HKQuery.predicateForSamples(withStart: range.start, end: range.end)
        let workouts = try await HKSampleQueryDescriptor(
            predicates: [.workout(predicate)], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        var rows: [[String]] = []
        for workout in workouts {
            let energy = workout.statistics(for: HKQuantityType(.activeEnergyBurned))
            let burned = energy?.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
            rows.append(
                row(
                    .workouts, workout.startDate, workout.endDate, String(burned), "kcal",
                    workout.sourceRevision.source.name))
        }
        return rows
    }

    private func stage(_ value: Int) -> String {
        switch HKCategoryValueSleepAnalysis(rawValue: value) {
        case .inBed: "in bed"
        case .awake: "awake"
        case .asleepCore: "core"
        case .asleepDeep: "deep"
        case .asleepREM: "REM"
        default: "asleep"
        }
    }

    private func row(
        _ column: Column, _ start: Date, _ end: Date, _ value: String, _ unit: String,
        _ source: String
    ) -> [String] {
        [column.rawValue, start.formatted(stamp), end.formatted(stamp), value, unit, source]
    }
}
