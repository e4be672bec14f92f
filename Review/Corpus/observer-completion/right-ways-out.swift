// Every way out calls the completion handler, however it is written.
import HealthKit

final class AllWaysOut {
    let store: HKHealthStore
    let sink: ChangeSink
    private var waiting: [() -> Void] = []

    init(store: HKHealthStore, sink: ChangeSink) { (self.store, self.sink) = (store, sink) }

    func tasks() {
        let query = HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            _, completion, error in
            Task {
                defer { completion() }
                guard error == nil else { return }
                try await self.sink.pull()
            }
        }
        store.execute(query)
    }

    func tried() {
        let query = HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            [weak self] _, completion, error in
            guard let self, error == nil else { return completion() }
            Task {
                do {
                    try await self.sink.pull()
                } catch {
                    print(error)
                }
                completion()
            }
        }
        store.execute(query)
    }

    func local() {
        let query = HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            _, completion, error in
            func finish() { completion() }
            if let error {
                print(error)
                finish()
                return
            }
            while self.sink.isBusy {
                self.sink.wait()
                if self.sink.isClosed { return finish() }
            }
            finish()
        }
        store.execute(query)
    }

    func switched() {
        let query = HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            _, completion, error in
            switch error {
            case nil:
                self.sink.note()
                completion()
            case let error?:
                print(error)
                completion()
            }
        }
        store.execute(query)
    }

    func kept() {
        let query = HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            _, completion, error in
            if self.sink.isBusy {
                self.waiting.append(completion)
                return
            }
            self.sink.pull { result in
                guard case .success = result else { return completion() }
                completion()
            }
        }
        store.execute(query)
    }

    func never() {
        let query = HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            _, completion, error in
            repeat { self.sink.note() } while self.sink.isBusy
            guard error == nil else { fatalError("observer") }
            #if os(watchOS)
            self.sink.wait()
            completion()
            #else
            completion()
            #endif
        }
        store.execute(query)
    }
}
