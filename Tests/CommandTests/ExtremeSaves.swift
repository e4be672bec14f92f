import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit

/// Samples of an app with numbers and dates that no program expects, saved one by one so that what
/// HealthKit refuses costs no other.
struct ExtremeSaves {
    static let values = [
        0, -0.0, 5e-324, 1e-300, 0.1, 1, 8214, -1, 1e15, 9.3e18, 1e19, -1e19, 1e22, 1.7e308,
        -1.7e308,
    ]
    /// From year 0 over today to year 9999 and far beyond; some often.
    static let times = [
        -63_145_000_000, -63_113_904_000, -13_197_600_000, -3_187_296_000, -978_307_200, 0,
        731_746_800, 731_746_800, 731_746_800, 731_750_400, 731_803_000, 63_113_904_000,
        252_423_000_000, 1e12, -1e12, 1e15, 1e19, -1e19, 1e300,
    ]

    private var random: SeededRandom
    private(set) var saved = 0
    private(set) var refused = 0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private mutating func value() -> Double { Self.values.randomElement(using: &random) ?? 0 }

    private mutating func times() -> (Date, Date) {
        let start = Self.times.randomElement(using: &random) ?? 0
        let lengths: [Double] = [0, 0, 1, 600, 86_400, 252_460_000_000]
        let end = start + (lengths.randomElement(using: &random) ?? 0)
        return (
            Date(timeIntervalSinceReferenceDate: start), Date(timeIntervalSinceReferenceDate: end)
        )
    }

    private mutating func quantity(_ type: SampleType) -> HKQuantitySample? {
        let object = HKQuantityType(HKQuantityTypeIdentifier(rawValue: type.identifier))
        guard let symbol = type.displayUnit else { return nil }
        let (start, end) = times()
        return HKQuantitySample(
            type: object, quantity: HKQuantity(unit: HKUnit(from: symbol), doubleValue: value()),
            start: start, end: end)
    }

    private mutating func sample(_ type: SampleType) -> HKSample? {
        let (start, end) = times()
        switch type.kind {
        case .quantity: return quantity(type)
        case .category:
            let values = type.valueEnumeration.map(Catalogue.values(of:)) ?? []
            return HKCategorySample(
                type: HKCategoryType(HKCategoryTypeIdentifier(rawValue: type.identifier)),
                value: values.randomElement(using: &random)?.rawValue ?? 0, start: start, end: end)
        case .workout:
            let energy = HKQuantity(unit: .kilocalorie(), doubleValue: value())
            let distance = HKQuantity(unit: .meter(), doubleValue: value())
            if Bool.random(using: &random) {
                return HKWorkout(
                    activityType: .running, start: start, end: end, duration: value(),
                    totalEnergyBurned: energy, totalDistance: distance, metadata: nil)
            }
            let (from, to) = times()
            let event = HKWorkoutEvent(
                type: .pause, dateInterval: DateInterval(start: from, end: to), metadata: nil)
            return HKWorkout(
                activityType: .running, start: start, end: end, workoutEvents: [event],
                totalEnergyBurned: energy, totalDistance: distance, metadata: nil)
        default: return nil
        }
    }

    /// Saves samples of some types into a store, so many of each.
    mutating func save(_ types: [SampleType], perType: Int, into path: String) async throws {
        let store = try HKHealthStore(
            path: path, configuration: HealthStoreConfiguration(authorization: .assumed))
        for type in types {
            for _ in 0..<perType {
                guard let sample = sample(type) else { continue }
                do {
                    try await store.save(sample)
                    saved += 1
                } catch let error as HKError where error.code == .errorInvalidArgument {
                    refused += 1
                }
            }
        }
    }
}
