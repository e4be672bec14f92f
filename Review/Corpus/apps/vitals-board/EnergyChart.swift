import HealthKit
import SwiftUI

/// Active and resting energy of each hour of a day.
final class EnergyChartModel: ObservableObject {

    struct Hour: Identifiable {
        let id: Int
        var active: Double
        var basal: Double
    }

    @Published var hours: [Hour] = (0..<24).map { Hour(id: $0, active: 0, basal: 0) }
    private let store: HKHealthStore
    private var queries: [HKQuery] = []

    init(store: HKHealthStore) { self.store = store }

    deinit { queries.forEach(store.stop) }

    func show(day: Date) {
        collect(.activeEnergyBurned, day: day) { $0.active = $1 }
        collect(.basalEnergyBurned, day: day) { $0.basal = $1 }
    }

    private func collect(
        _ identifier: HKQuantityTypeIdentifier, day: Date,
        assign: @escaping (inout Hour, Double) -> Void
    ) {
        guard let type = HKObjectType.quantityType(forIdentifier: identifier) else { return }
        let start = Calendar.autoupdatingCurrent.startOfDay(for: day)
        guard let end = Calendar.autoupdatingCurrent.date(byAdding: .day, value: 1, to: start) else { return }
        var interval = DateComponents()
        interval.hour = 1
        let query = HKStatisticsCollectionQuery(
            quantityType: type,
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: end),
            options: .cumulativeSum, anchorDate: start, intervalComponents: interval)
        let update: (HKStatisticsCollection?) -> Void = { [weak self] collection in
            guard let collection = collection else { return }
            var found: [Int: Double] = [:]
            collection.enumerateStatistics(from: start, to: end) { statistics, _ in
                let hour = Calendar.autoupdatingCurrent.component(.hour, from: statistics.startDate)
                found[hour, default: 0] += statistics.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
            }
            DispatchQueue.main.async {
                guard let self = self else { return }
                for (hour, value) in found { assign(&self.hours[hour], value) }
            }
        }
        query.initialResultsHandler = { _, collection, _ in update(collection) }
        query.statisticsUpdateHandler = { _, _, collection, _ in update(collection) }
        queries.append(query)
        store.execute(query)
    }
}

struct EnergyChart: View {
    @ObservedObject var model: EnergyChartModel

    var body: some View {
        HStack(alignment: .bottom, spacing: 2) {
            ForEach(model.hours) { hour in
                VStack(spacing: 0) {
                    Rectangle().fill(Color.orange).frame(height: CGFloat(hour.active) / 2)
                    Rectangle().fill(Color.gray).frame(height: CGFloat(hour.basal) / 2)
                }
            }
        }
        .onAppear { self.model.show(day: Date()) }
    }
}
