import Foundation

extension HealthKitService {
    /// Follows what pages show at first: one observer a type, so that a type that may not be read
    /// silences no other. Ends with the stream's reader.
    public nonisolated var changes: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let pulse = ChangePulse(continuation)
            let types: [HKSampleType] =
                TodayPage.metrics.compactMap(\.sampleType)
                + [HKCategoryType(.sleepAnalysis), HKObjectType.workoutType()]
            let queries = types.map { type in
                HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
                    if error == nil { Task { await pulse.beat(type.identifier) } }
                    completion()
                }
            }
            for query in queries { store.execute(query) }
            continuation.onTermination = { [store] _ in
                for query in queries { store.stop(query) }
            }
        }
    }
}

/// Makes one of changes that come close together.
private actor ChangePulse {
    private let continuation: AsyncStream<Void>.Continuation
    private var isWaiting = false
    private var begun: Set<String> = []

    init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

    /// An observer's first call tells that it observes, not of a change.
    func beat(_ type: String) async {
        if begun.insert(type).inserted || isWaiting { return }
        isWaiting = true
        try? await Task.sleep(for: .milliseconds(100))
        isWaiting = false
        continuation.yield()
    }
}
