// The completion handler called while the work that the wake started goes on.
import HealthKit

final class ImpatientSync {
    static var current: ImpatientSync?
    private let store: HKHealthStore
    private let api: SyncAPI
    private let steps = HKQuantityType(.stepCount)

    init(store: HKHealthStore, api: SyncAPI) { (self.store, self.api) = (store, api) }

    func start() {
        for query in [direct(), first(), task(), deferred(), throughMain(), inHandler()] {
            store.execute(query)
        }
        store.enableBackgroundDelivery(for: steps, frequency: .hourly) { _, _ in }
    }

    func direct() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { _, completionHandler, error in
            guard error == nil else {
                completionHandler()
                return
            }
            self.fetchToday()
            completionHandler()  // finds observer-completion
        }
    }

    func first() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { [weak self] _, done, _ in
            done()  // finds observer-completion
            self?.fetchToday { value in self?.api.upload(value) }
        }
    }

    func task() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { [weak self] _, done, _ in
            Task { await self?.sync() }
            done()  // finds observer-completion
        }
    }

    func deferred() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, error in
            defer { completion() }  // finds observer-completion
            if error != nil { return }
            let query = HKStatisticsQuery(
                quantityType: self.steps, quantitySamplePredicate: nil, options: .cumulativeSum
            ) { _, statistics, _ in
                print(statistics ?? "none")
            }
            self.store.execute(query)
        }
    }

    func throughMain() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil, updateHandler: handle)
    }

    private func handle(
        _ query: HKObserverQuery, _ completion: @escaping HKObserverQueryCompletionHandler,
        _ error: (any Error)?
    ) {
        DispatchQueue.main.async {
            self.refreshAll()
            completion()  // finds observer-completion
        }
    }

    func inHandler() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, _ in
            self.fetchToday { value in
                self.api.post(value)
                completion()  // finds observer-completion
            }
        }
    }

    private func refreshAll() {
        [steps, HKQuantityType(.flightsClimbed)].forEach { type in
            let query = HKStatisticsQuery(
                quantityType: type, quantitySamplePredicate: nil, options: .cumulativeSum
            ) { _, statistics, _ in print(statistics ?? "none") }
            store.execute(query)
        }
    }

    private func fetchToday(_ done: @escaping (Double) -> Void = { _ in }) {
        let query = HKStatisticsQuery(
            quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum
        ) { _, statistics, error in
            guard let sum = statistics?.sumQuantity() else { return }  // finds completion-not-called
            done(sum.doubleValue(for: .count()))
        }
        store.execute(query)
    }

    private func sync() async {
        try? await api.send()
    }
}

struct SyncAPI {
    let session: URLSession
    let request: URLRequest

    func upload(_ value: Double) { print(value) }
    func send() async throws { _ = try await session.data(for: request) }
    func post(_ value: Double) {
        session.dataTask(with: request) { _, _, _ in print("sent") }.resume()
    }
}
