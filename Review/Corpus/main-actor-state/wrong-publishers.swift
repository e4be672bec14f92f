// Publishers that send from a handler, and subscribers that don't change the queue.
import Combine
import HealthKit

final class WeightSource {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func latest() -> Future<Double, any Error> {
        Future { promise in
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1,
                sortDescriptors: nil  // finds newest-sample
            ) { _, samples, error in
                if let error { return promise(.failure(error)) }
                let sample = samples?.first as? HKQuantitySample
                promise(.success(sample?.quantity.doubleValue(for: .gram()) ?? 0))
            }
            self.store.execute(query)
        }
    }
}

final class WeightModel: ObservableObject {
    @Published var weight = 0.0
    @Published var failure: String?
    private let source: WeightSource
    private var bag: Set<AnyCancellable> = []

    init(source: WeightSource) { self.source = source }

    func load() {
        source.latest()
            .map { $0 / 1000 }
            .sink { _ in
            } receiveValue: { [weak self] value in
                self?.weight = value  // finds main-actor-state
            }
            .store(in: &bag)
        source.latest()
            .receive(on: DispatchQueue.main)
            .sink { _ in } receiveValue: { [weak self] value in self?.weight = value }
            .store(in: &bag)
    }
}
