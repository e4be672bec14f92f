// Publishers that are switched to, and that are made of others on HealthKit's queue.
import Combine
import HealthKit

extension HKHealthStore {
    func average(of type: HKQuantityType, on day: Date) -> AnyPublisher<Double?, Error> {
        Future { promise in
            let query = HKStatisticsQuery(
                quantityType: type, quantitySamplePredicate: nil, options: .discreteAverage
            ) { _, statistics, error in
                if let error { return promise(.failure(error)) }
                let unit = HKUnit(from: "count/min")
                promise(.success(statistics?.averageQuantity()?.doubleValue(for: unit)))
            }
            self.execute(query)
        }
        .eraseToAnyPublisher()
    }
}

final class PulseService {
    private let store = HKHealthStore()

    func summary(for day: Date) -> AnyPublisher<Double, Never> {
        let resting = store.average(of: HKQuantityType(.restingHeartRate), on: day)
        return resting.map { $0 ?? 0 }.replaceError(with: 0).eraseToAnyPublisher()
    }
}

final class PulseModel: ObservableObject {
    @Published var day = Date()
    @Published var resting = 0.0
    private var bag = Set<AnyCancellable>()

    init(service: PulseService = PulseService()) {
        $day
            .map { [service] in service.summary(for: $0) }
            .switchToLatest()
            .sink { [weak self] resting in
                self?.resting = resting  // finds main-actor-state
            }
            .store(in: &bag)
    }

    func follow(_ chosen: AnyPublisher<Date, Never>, _ service: PulseService) {
        chosen
            .flatMap { service.summary(for: $0) }
            .sink { [weak self] in self?.resting = $0 }  // finds main-actor-state
            .store(in: &bag)
    }
}
