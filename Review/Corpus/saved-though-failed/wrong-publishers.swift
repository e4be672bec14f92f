// Publishers that save, with a failure that nobody looks at.
import Combine
import HealthKit

protocol DrinkStoring {
    func add(_ amount: Double) -> AnyPublisher<Void, Error>
}

final class DrinkStore: DrinkStoring {
    private let store: HKHealthStore
    private let type = HKQuantityType(.dietaryWater)

    init(store: HKHealthStore) { self.store = store }

    func add(_ amount: Double) -> AnyPublisher<Void, Error> {
        Future { [store, type] promise in
            let quantity = HKQuantity(unit: .liter(), doubleValue: amount)
            let sample = HKQuantitySample(type: type, quantity: quantity, start: .now, end: .now)
            store.save(sample) { _, error in
                promise(error.map { .failure($0) } ?? .success(()))
            }
        }.eraseToAnyPublisher()
    }
}

final class DrinkModel: ObservableObject {
    @Published private(set) var total = 0.0
    @Published private(set) var drinks: [Double] = []
    @Published var message = ""
    private let store: DrinkStoring
    private var bag = Set<AnyCancellable>()

    init(store: DrinkStoring) { self.store = store }

    func drink(_ amount: Double) {
        total += amount  // finds saved-though-failed
        store.add(amount)
            .receive(on: DispatchQueue.main)
            .sink { _ in } receiveValue: { _ in }
            .store(in: &bag)
    }

    func list(_ amount: Double) {
        drinks.append(amount)  // finds saved-though-failed
        store.add(amount)
            .replaceError(with: ())
            .sink { _ in }
            .store(in: &bag)
    }

    func handled(_ amount: Double) {
        total += amount
        store.add(amount)
            .receive(on: DispatchQueue.main)
            .sink { [weak self] completion in
                if case .failure(let error) = completion {
                    self?.total -= amount
                    self?.message = error.localizedDescription
                }
            } receiveValue: { _ in }
            .store(in: &bag)
    }
}
