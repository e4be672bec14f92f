import HealthKit
import SwiftUI

@MainActor
final class BodyViewModel: ObservableObject {

    @Published var weight: Measurement<UnitMass>?
    @Published var leanMass: Double?
    @Published var averageWeight: Double?
    @Published var hasHealthAccess = false

    private let health: HKHealthStore

    init(health: HKHealthStore) { self.health = health }

    func connect() async {
        do {
            try await health.requestAuthorization(
                toShare: [HKQuantityType(.bodyMass)],
                read: [HKQuantityType(.bodyMass), HKQuantityType(.leanBodyMass)])
            hasHealthAccess = true // finds success-as-permission
        } catch {
            hasHealthAccess = false
        }
    }

    func load() async throws {
        let latest = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bodyMass))],
            sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)],
            limit: 1)
        if let sample = try await latest.result(for: health).first {
            weight = Measurement(
                value: sample.quantity.doubleValue(for: .gramUnit(with: .kilo)), unit: .kilograms)
        }

        let month = HKQuery.predicateForSamples(
            withStart: Calendar.current.date(byAdding: .month, value: -1, to: .now), end: .now)
        let mean = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.bodyMass), predicate: month),
            options: .discreteAverage)
        averageWeight = try await mean.result(for: health)?
            .averageQuantity()?.doubleValue(for: .gramUnit(with: .kilo))

        let lean = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.leanBodyMass), predicate: month),
            options: .cumulativeSum) // finds statistics-options
        leanMass = try await lean.result(for: health)?.sumQuantity()?.doubleValue(for: .gramUnit(with: .kilo))
    }

    func watchWeight() async {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bodyMass))], anchor: nil)
        do {
            for try await update in descriptor.results(for: health) {
                if let sample = update.addedSamples.last {
                    weight = Measurement(
                        value: sample.quantity.doubleValue(for: .gramUnit(with: .kilo)),
                        unit: .kilograms)
                }
            }
        } catch {
            weight = nil
        }
    }
}
