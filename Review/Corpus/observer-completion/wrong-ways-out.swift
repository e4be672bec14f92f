// Ways out of an observer's handler that leave the completion handler uncalled.
import HealthKit

struct WaysOut {
    let store: HKHealthStore
    let sink: ChangeSink
    let anchor: HKQueryAnchor?

    func thrown() -> HKObserverQuery {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            _, completion, error in
            Task {
                try await self.sink.pull()  // finds observer-completion
                completion()
            }
        }
    }

    func caught() -> HKObserverQuery {
        HKObserverQuery(
            sampleType: .workoutType(), predicate: nil
        ) { _, done, error in  // finds observer-completion
            do {
                try self.sink.check()
                done()
            } catch {
                print(error)
            }
        }
    }

    func switched() -> HKObserverQuery {
        HKObserverQuery(
            queryDescriptors: [HKQueryDescriptor(sampleType: .workoutType(), predicate: nil)]
        ) { [sink] _, types, completionHandler, error in
            guard let types else { return }  // finds observer-completion
            defer { completionHandler() }
            switch types.count {
            case 0: return
            default: sink.note()
            }
        }
    }

    func inner() -> HKObserverQuery {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            [anchor, store, sink] _, completion, _ in
            let changes = HKAnchoredObjectQuery(
                type: .workoutType(), predicate: nil, anchor: anchor, limit: 0
            ) { _, added, deleted, _, error in
                guard error == nil else { return }  // finds observer-completion
                sink.apply(added, deleted)
                completion()
            }
            store.execute(changes)
        }
    }

    func named() -> HKObserverQuery {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil, updateHandler: self.updated)
    }

    private func updated(
        _ query: HKObserverQuery, _ finish: @escaping HKObserverQueryCompletionHandler,
        _ error: (any Error)?
    ) {
        if let error {
            print("observer:", error)
            return  // finds observer-completion
        } else if sink.isBusy {
            finish()
            return
        }
        sink.note()
        finish()
    }

    func onlyLater() -> HKObserverQuery {
        HKObserverQuery(
            sampleType: .workoutType(), predicate: nil
        ) { _, completion, error in  // finds observer-completion
            let finish = { completion() }
            for type in self.sink.types where type.isDue {
                if type.isLast { break }
                finish()
            }
        }
    }

    func short() -> HKObserverQuery {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            if $2 != nil { return }  // finds observer-completion
            self.sink.note()
            $1()
        }
    }
}
