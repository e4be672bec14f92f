#if Server
    import OpenHealthKit

    extension HealthServer {
        /// Returns wake-ups after changes of the store, for as long as the stream is kept. Wake-ups
        /// that arrive before one is consumed are combined.
        package func changeWakeUps() -> AsyncStream<Void> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let changed = changes.subscribe { _ in continuation.yield() }
                continuation.onTermination = { _ in changed.cancel() }
            }
        }
    }
#endif
