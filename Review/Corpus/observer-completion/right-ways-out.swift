// Every way out calls the completion handler, however it is written.
import HealthKit

struct AllWaysOut {
    let store: HKHealthStore
    let sink: ChangeSink

    func tasks() -> HKObserverQuery {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            _, completion, error in
            Task {
                defer { completion() }
                guard error == nil else { return }
                try await self.sink.pull()
            }
        }
    }

    func tried() -> HKObserverQuery {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            _, completion, error in
            guard error == nil else { return completion() }
            Task {
                do {
                    try await self.sink.pull()
                } catch {
                    print(error)
                }
                completion()
            }
        }
    }

    func local() -> HKObserverQuery {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
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
    }

    func switched() -> HKObserverQuery {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
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
    }

    func kept() -> HKObserverQuery {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            _, completion, error in
            if self.sink.isBusy {
                self.sink.later(completion)
                return
            }
            self.sink.pull { result in
                guard case .success = result else { return completion() }
                completion()
            }
        }
    }

    func never() -> HKObserverQuery {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
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
    }
}
