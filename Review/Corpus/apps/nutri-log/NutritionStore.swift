//  NutriLog (2022): food and water, async descriptors.

import Foundation
import HealthKit
import os

/// What the app logs, mapped to HealthKit.
enum Nutrient: String, CaseIterable, Codable {
    case energy, protein, carbohydrates, fat, fiber, sodium, caffeine, water

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .energy: return .dietaryEnergyConsumed
        case .protein: return .dietaryProtein
        case .carbohydrates: return .dietaryCarbohydrates
        case .fat: return .dietaryFatTotal
        case .fiber: return .dietaryFiber
        case .sodium: return .dietarySodium
        case .caffeine: return .dietaryCaffeine
        case .water: return .dietaryWater
        }
    }

    var unit: HKUnit {
        switch self {
        case .energy: return .kilocalorie()
        case .sodium, .caffeine: return .gramUnit(with: .milli)
        case .water: return .literUnit(with: .milli)
        default: return .gram()
        }
    }

    var type: HKQuantityType { HKQuantityType(identifier) }
}

struct NutritionStore {

    let health: HKHealthStore
    private let log = Logger(subsystem: "com.example.nutrilog", category: "health")

    init(health: HKHealthStore = HKHealthStore()) {
        self.health = health
    }

    // MARK: Access

    var isAvailable: Bool { HKHealthStore.isHealthDataAvailable() }

    func requestAccess() async throws {
        let types = Set(Nutrient.allCases.map(\.type))
        try await health.requestAuthorization(toShare: types, read: types)
    }

    /// Whether the person lets us write water; reading can't be asked.
    var mayWriteWater: Bool {
        health.authorizationStatus(for: HKQuantityType(.dietaryWater)) == .sharingAuthorized
    }

    // MARK: Totals

    func total(of nutrient: Nutrient, on day: Date) async throws -> Double {
        let calendar = Calendar.current
        let start = calendar.startOfDay(for: day)
        let end = calendar.date(byAdding: .day, value: 1, to: start)
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: nutrient.type,
                predicate: HKQuery.predicateForSamples(withStart: start, end: end)),
            options: .cumulativeSum)
        let statistics = try await descriptor.result(for: health)
        return statistics?.sumQuantity()?.doubleValue(for: nutrient.unit) ?? 0
    }

    func week(of nutrient: Nutrient, ending day: Date) async throws -> [DateValue] {
        let calendar = Calendar.current
        let end = calendar.startOfDay(for: day).addingTimeInterval(24 * 60 * 60)
        guard let start = calendar.date(byAdding: .day, value: -7, to: end) else { return [] }
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(
                type: nutrient.type,
                predicate: HKQuery.predicateForSamples(withStart: start, end: end)),
            options: .cumulativeSum,
            anchorDate: calendar.startOfDay(for: day),
            intervalComponents: DateComponents(day: 1))
        let collection = try await descriptor.result(for: health)
        var values: [DateValue] = []
        collection.enumerateStatistics(from: start, to: end) { statistics, _ in
            let value = statistics.sumQuantity()?.doubleValue(for: nutrient.unit) ?? 0
            values.append(DateValue(date: statistics.startDate, value: value))
        }
        return values
    }

    // MARK: Meals

    func meals(on day: Date) async throws -> [HKCorrelation] {
        let calendar = Calendar.current
        let start = calendar.startOfDay(for: day)
        let predicate = HKQuery.predicateForSamples(
            withStart: start, end: calendar.date(byAdding: .day, value: 1, to: start))
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.correlation(type: HKCorrelationType(.food), predicate: predicate)],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: health)
    }

    /// Energy of one meal: the samples inside one correlation never overlap.
    func energy(of meal: HKCorrelation) -> Double {
        meal.objects(for: HKQuantityType(.dietaryEnergyConsumed))
            .compactMap { $0 as? HKQuantitySample }
            .reduce(0) { $0 + $1.quantity.doubleValue(for: .kilocalorie()) }
    }

    func save(meal: Meal) async throws {
        let samples: [HKSample] = meal.nutrients.compactMap { nutrient, amount in
            guard amount > 0 else { return nil }
            return HKQuantitySample(
                type: nutrient.type,
                quantity: HKQuantity(unit: nutrient.unit, doubleValue: amount),
                start: meal.date, end: meal.date,
                metadata: [HKMetadataKeyFoodType: meal.name])
        }
        guard !samples.isEmpty else { return }
        let food = HKCorrelation(
            type: HKCorrelationType(.food), start: meal.date, end: meal.date, objects: Set(samples),
            metadata: [
                HKMetadataKeyFoodType: meal.name,
                HKMetadataKeySyncIdentifier: meal.id.uuidString,
                HKMetadataKeySyncVersion: meal.version,
            ])
        try await health.save(food)
        log.debug("Saved a meal of \(samples.count) nutrients")
    }

    func delete(meal: Meal) async throws {
        let predicate = HKQuery.predicateForObjects(
            withMetadataKey: HKMetadataKeySyncIdentifier, allowedValues: [meal.id.uuidString])
        _ = try await health.deleteObjects(of: HKCorrelationType(.food), predicate: predicate)
    }
}

struct DateValue: Identifiable, Hashable {
    var id: Date { date }
    let date: Date
    let value: Double
}

struct Meal: Codable, Identifiable {
    var id = UUID()
    var version = 1
    var name: String
    var date: Date
    var nutrients: [Nutrient: Double]
}
