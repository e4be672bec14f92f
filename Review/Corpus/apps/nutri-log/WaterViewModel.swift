import HealthKit
import SwiftUI

@MainActor
final class WaterViewModel: ObservableObject {

    @Published private(set) var todayMilliliters = 0.0
    @Published private(set) var entries: [WaterEntry] = []
    @Published var goal = 2_000.0
    @Published var error: String?

    private let store: NutritionStore
    private let health: HKHealthStore

    init(store: NutritionStore) {
        self.store = store
        self.health = store.health
    }

    struct WaterEntry: Identifiable {
        let id: UUID
        let date: Date
        let milliliters: Double
        let isOurs: Bool
    }

    func refresh() async {
        do {
            todayMilliliters = try await store.total(of: .water, on: .now)
            entries = try await loadEntries()
        } catch {
            self.error = error.localizedDescription
        }
    }

    private func loadEntries() async throws -> [WaterEntry] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.dietaryWater),
                    predicate: HKQuery.predicateForSamples(
                        withStart: Calendar.current.startOfDay(for: .now), end: nil))
            ],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)])
        return try await descriptor.result(for: health).map {
            WaterEntry(
                id: $0.uuid, date: $0.startDate,
                milliliters: $0.quantity.doubleValue(for: .literUnit(with: .milli)),
                isOurs: $0.sourceRevision.source == .default())
        }
    }

    /// Days in a row on which the goal was met.
    func streak() async throws -> Int {
        let descriptor = HKSampleQueryDescriptor( // finds unbounded-query
            predicates: [.quantitySample(type: HKQuantityType(.dietaryWater))],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)])
        let samples = try await descriptor.result(for: health)
        let days = Dictionary(grouping: samples) { Calendar.current.startOfDay(for: $0.startDate) }
        var streak = 0
        var day = Calendar.current.startOfDay(for: .now)
        while let drinks = days[day] {
            let total = drinks.map { $0.quantity.doubleValue(for: .liter()) }.reduce(0, +) // finds summed-samples
            guard total * 1_000 >= goal else { break }
            streak += 1
            guard let before = Calendar.current.date(byAdding: .day, value: -1, to: day) else { break }
            day = before
        }
        return streak
    }

    func drink(_ milliliters: Double) async {
        let type = HKQuantityType(.dietaryWater)
        guard health.authorizationStatus(for: type) == .sharingAuthorized else {
            error = "Please allow NutriLog to write water in the Health app."
            return
        }
        let sample = HKQuantitySample(
            type: type,
            quantity: HKQuantity(unit: .literUnit(with: .milli), doubleValue: milliliters),
            start: .now, end: .now)
        do {
            try await health.save(sample)
            await refresh()
        } catch {
            self.error = error.localizedDescription
        }
    }

    func undo(_ entry: WaterEntry) async throws {
        guard entry.isOurs else { return }
        try await health.deleteObjects(
            of: HKQuantityType(.dietaryWater),
            predicate: HKQuery.predicateForObjects(with: [entry.id]))
        entries.removeAll { $0.id == entry.id }
    }
}
