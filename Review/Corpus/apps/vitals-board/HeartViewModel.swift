import Combine
import HealthKit
import SwiftUI

final class HeartViewModel: ObservableObject {

    @Published var average: Double?
    @Published var resting: Double?
    @Published var recent: [HeartPoint] = []
    @Published var errorText: String?

    struct HeartPoint: Identifiable {
        let id: UUID
        let date: Date
        let bpm: Double
    }

    private let store: HKHealthStore
    private var bag = Set<AnyCancellable>()
    private let bpm = HKUnit.count().unitDivided(by: .minute())
    private var liveQuery: HKAnchoredObjectQuery?

    init(store: HKHealthStore = HKHealthStore()) {
        self.store = store
    }

    func load() {
        guard
            let heartRate = HKQuantityType.quantityType(forIdentifier: .heartRate),
            let restingType = HKQuantityType.quantityType(forIdentifier: .restingHeartRate)
        else { return }

        let day = HKQuery.predicateForSamples(
            withStart: Calendar.current.startOfDay(for: Date()), end: nil, options: [])

        store.statistic(heartRate, predicate: day, options: .discreteAverage)
            .map { [bpm] in $0.averageQuantity()?.doubleValue(for: bpm) }
            .receive(on: DispatchQueue.main)
            .sink(
                receiveCompletion: { [weak self] in self?.finish($0) },
                receiveValue: { [weak self] in self?.average = $0 })
            .store(in: &bag)

        store.statistic(restingType, predicate: day, options: [.discreteMin, .discreteMax])
            .map { [bpm] in $0.minimumQuantity()?.doubleValue(for: bpm) }
            .receive(on: DispatchQueue.main)
            .sink(
                receiveCompletion: { [weak self] in self?.finish($0) },
                receiveValue: { [weak self] in self?.resting = $0 })
            .store(in: &bag)

        store.changes(of: heartRate)
            .debounce(for: .seconds(2), scheduler: DispatchQueue.main)
            .sink(receiveCompletion: { _ in }, receiveValue: { [weak self] in self?.startLive() })
            .store(in: &bag)
    }

    /// Beats as they come from the watch. Only shown, nothing is stored.
    func startLive() {
        guard liveQuery == nil,
            let heartRate = HKQuantityType.quantityType(forIdentifier: .heartRate)
        else { return }
        let recentPredicate = HKQuery.predicateForSamples(
            withStart: Date().addingTimeInterval(-600), end: nil, options: .strictStartDate)
        let handler: (HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, Error?) -> Void = {
            [weak self] _, samples, deleted, _, error in
            self?.merge(samples as? [HKQuantitySample] ?? [], without: deleted ?? [])
        }
        let query = HKAnchoredObjectQuery(
            type: heartRate, predicate: recentPredicate, anchor: nil, limit: HKObjectQueryNoLimit,
            resultsHandler: handler)
        query.updateHandler = handler
        liveQuery = query
        store.execute(query)
    }

    func stopLive() {
        liveQuery.map(store.stop)
        liveQuery = nil
    }

    private func merge(_ added: [HKQuantitySample], without deleted: [HKDeletedObject]) {
        let points = added.map {
            HeartPoint(id: $0.uuid, date: $0.startDate, bpm: $0.quantity.doubleValue(for: bpm))
        }
        let gone = Set(deleted.map { $0.uuid })
        DispatchQueue.main.async {
            self.recent = (self.recent + points).filter { !gone.contains($0.id) }
        }
    }

    private func finish(_ completion: Subscribers.Completion<VitalsError>) {
        if case .failure(let error) = completion { errorText = "\(error)" }
    }
}
