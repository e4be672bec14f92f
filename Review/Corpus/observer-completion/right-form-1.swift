import HealthKit
func right(_ type: HKSampleType, _ changed: @escaping (@escaping () -> Void) -> Void) -> [HKObserverQuery] {
    [
        HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
            defer { completion() }
            guard error == nil else { return }
            print("changed")
        },
        HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
            guard error == nil else { completion(); return }
            changed(completion)
        },
        HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
            if let error { print(error); completion() } else { changed { completion() } }
        },
    ]
}
