// The completion handler called after the work, or after work that ends before the call.
import HealthKit

final class PatientSync {
    static var current: PatientSync?
    private let store: HKHealthStore
    private let api: UploadAPI
    private let steps = HKQuantityType(.stepCount)
    private let subject: (HKSampleType) -> Void
    private var changes: AsyncStream<Void>.Continuation?
    private let queue = DispatchQueue(label: "work")

    init(store: HKHealthStore, api: UploadAPI, subject: @escaping (HKSampleType) -> Void) {
        (self.store, self.api, self.subject) = (store, api, subject)
    }

    func start() {
        for query in [awaited(), handedOn(), grouped(), posted(), blocking(), branched(), wait()] {
            store.execute(query)
        }
        store.enableBackgroundDelivery(for: steps, frequency: .hourly) { _, _ in }
    }

    func awaited() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { [api] _, done, _ in
            Task {
                try? await api.send()
                done()
            }
        }
    }

    func handedOn() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { _, done, error in
            guard error == nil else { return done() }
            self.fetchToday { value in
                self.api.post(value) { done() }
            }
        }
    }

    func grouped() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { _, done, _ in
            let group = DispatchGroup()
            group.enter()
            self.fetchToday { _ in group.leave() }
            group.enter()
            self.api.post(1) { group.leave() }
            group.notify(queue: .global()) { done() }
        }
    }

    func posted() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { _, done, _ in
            NotificationCenter.default.post(name: .init("changed"), object: nil)
            self.changes?.yield(())
            self.subject(self.steps)
            done()
        }
    }

    func blocking() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { _, done, _ in
            self.queue.async {
                self.collect()
                done()
            }
        }
    }

    private func collect() {
        let semaphore = DispatchSemaphore(value: 0)
        fetchToday { _ in semaphore.signal() }
        semaphore.wait()
    }

    func branched() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { _, done, error in
            if error == nil {
                self.fetchToday { _ in done() }
            } else {
                done()
            }
        }
    }

    func wait() -> HKObserverQuery {
        HKObserverQuery(sampleType: steps, predicate: nil) { _, done, _ in
            Task { @MainActor in self.count += 1 }
            done()
        }
    }

    @MainActor private var count = 0

    private func fetchToday(_ done: @escaping (Double) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum
        ) { _, statistics, error in
            done(statistics?.sumQuantity()?.doubleValue(for: .count()) ?? -1)
        }
        store.execute(query)
    }
}

struct UploadAPI {
    let session: URLSession
    let request: URLRequest

    func send() async throws { _ = try await session.data(for: request) }
    func post(_ value: Double, _ done: @escaping () -> Void) {
        session.dataTask(with: request) { _, _, _ in done() }.resume()
    }
}
