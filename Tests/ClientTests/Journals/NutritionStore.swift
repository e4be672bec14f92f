import Foundation
import HealthKit

struct Food: Codable, Sendable {
    let name: String
    let nutrients: [Nutrient: Double]
}

enum Nutrient: String, CaseIterable, Codable, Sendable, CodingKeyRepresentable {
    case energy, protein, carbohydrate, fat, saturatedFat, monounsaturatedFat, polyunsaturatedFat,
        cholesterol, sodium, potassium, fiber, sugar, calcium, iron, vitaminA, vitaminC, vitaminD,
        vitaminB12, folate, caffeine, water
    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .energy: .dietaryEnergyConsumed
        case .protein: .dietaryProtein
        case .carbohydrate: .dietaryCarbohydrates
        case .fat: .dietaryFatTotal
        case .saturatedFat: .dietaryFatSaturated
        case .monounsaturatedFat: .dietaryFatMonounsaturated
        case .polyunsaturatedFat: .dietaryFatPolyunsaturated
        case .cholesterol: .dietaryCholesterol
        case .sodium: .dietarySodium
        case .potassium: .dietaryPotassium
        case .fiber: .dietaryFiber
        case .sugar: .dietarySugar
        case .calcium: .dietaryCalcium
        case .iron: .dietaryIron
        case .vitaminA: .dietaryVitaminA
        case .vitaminC: .dietaryVitaminC
        case .vitaminD: .dietaryVitaminD
        case .vitaminB12: .dietaryVitaminB12
        case .folate: .dietaryFolate
        case .caffeine: .dietaryCaffeine
        case .water: .dietaryWater
        }
    }
    var unit: HKUnit {
        switch self {
        case .energy: .kilocalorie()
        case .protein, .carbohydrate, .fat, .saturatedFat, .monounsaturatedFat, .polyunsaturatedFat,
            .fiber, .sugar:
            .gram()
        case .cholesterol, .sodium, .potassium, .calcium, .iron, .vitaminC, .caffeine:
            .gramUnit(with: .milli)
        case .vitaminA, .vitaminD, .vitaminB12, .folate: .gramUnit(with: .micro)
        case .water: .literUnit(with: .milli)
        }
    }
}

/// Meals as food correlations, with one member per nutrient.
struct NutritionStore: Sendable {
    let store: HKHealthStore
    @discardableResult
    func log(_ food: Food, at date: Date) async throws -> HKCorrelation {
        let samples: Set<HKSample> = Set(
            food.nutrients.map { n, v in
                HKQuantitySample(
                    type: HKQuantityType(n.identifier),
                    quantity: HKQuantity(unit: n.unit, doubleValue: v), start: date, end: date,
                    metadata: [HKMetadataKeyFoodType: food.name])
            })
        let c = HKCorrelation(
            type: HKCorrelationType(.food), start: date, end: date, objects: samples,
            metadata: [HKMetadataKeyFoodType: food.name])
        try await store.save(c)
        return c
    }
    func meals(on day: DateInterval) async throws -> [(String, [Nutrient: Double])] {
        let d = HKSampleQueryDescriptor(
            predicates: [
                .correlation(
                    type: HKCorrelationType(.food),
                    predicate: HKQuery.predicateForSamples(withStart: day.start, end: day.end))
            ], sortDescriptors: [SortDescriptor(\HKCorrelation.startDate)])
        return try await d.result(for: store).map { c in
            var n: [Nutrient: Double] = [:]
            for nutrient in Nutrient.allCases {
                let objects = c.objects(for: HKQuantityType(nutrient.identifier))
                guard !objects.isEmpty else { continue }
                n[nutrient] = objects.compactMap {
                    ($0 as? HKQuantitySample)?.quantity.doubleValue(for: nutrient.unit)
                }.reduce(0, +)
            }
            return (c.metadata?[HKMetadataKeyFoodType] as? String ?? "—", n)
        }
    }
    func totals(on day: DateInterval) async throws -> [Nutrient: Double] {
        try await withThrowingTaskGroup(
            of: (Nutrient, Double?).self, returning: [Nutrient: Double].self
        ) { group in
            for n in Nutrient.allCases {
                group.addTask { [store] in
                    let s = try await HKStatisticsQueryDescriptor(
                        predicate: .quantitySample(
                            type: HKQuantityType(n.identifier),
                            predicate: HKQuery.predicateForSamples(
                                withStart: day.start, end: day.end)), options: .cumulativeSum
                    ).result(for: store)
                    return (n, s?.sumQuantity()?.doubleValue(for: n.unit))
                }
            }
            var out: [Nutrient: Double] = [:]
            for try await case let (n, v?) in group { out[n] = v }
            return out
        }
    }
    func delete(_ c: HKCorrelation) async throws {
        try await store.delete(c.objects.map { $0 as HKObject } + [c])
    }

    func meals(over amount: Double, of nutrient: Nutrient) async throws -> Int {
        let predicate = HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: nutrient.unit, doubleValue: amount))
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKCorrelationQuery(
                type: HKCorrelationType(.food), predicate: nil,
                samplePredicates: [HKQuantityType(nutrient.identifier): predicate]
            ) { _, meals, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: meals?.count ?? 0)
                }
            }
            store.execute(query)
        }
    }
}
