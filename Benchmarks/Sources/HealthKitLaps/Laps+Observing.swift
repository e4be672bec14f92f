import Foundation
import HealthKit
import Prompting

extension Laps {
    /// Times from a save to the anchored result that an observer fetches, in this process and from
    /// another.
    mutating func waking(_ store: HKHealthStore) async throws {
        let watch = try await Watch(store)
        for round in 0...rounds {
            let start = ContinuousClock.now
            try await store.save(Self.heartRate(62, at: Date()))
            let seconds = try await watch.seconds(since: start)
            if round > 0 { add("observer wake to anchored result", seconds) }
        }
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        let other = try PromptedProcess(writer: own, store: folder + "/laps.sqlite")
        for round in 0...rounds {
            let start = ContinuousClock.now
            try other.prompt()
            let seconds = try await watch.seconds(since: start)
            if round > 0 { add("the same from another process", seconds) }
        }
        other.end()
        watch.stop()
    }

    /// Measures the processor share of one observer while nothing changes.
    mutating func idling(_ store: HKHealthStore) async throws {
        let query = HKObserverQuery(sampleType: Self.beats, predicate: nil) { _, done, _ in done() }
        store.execute(query)
        try await Task.sleep(for: .seconds(1))
        for _ in 0..<3 {
            let before = Self.processorSeconds
            try await Task.sleep(for: .seconds(3))
            add("share of a core, idle observer", (Self.processorSeconds - before) / 3)
        }
        store.stop(query)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// An observer that fetches changes since its anchor on each update.
final class Watch: Sendable {
    private let store: HKHealthStore
    private let query: HKObserverQuery
    private let arrivals: AsyncStream<ContinuousClock.Instant>

    init(_ store: HKHealthStore) async throws {
        self.store = store
        let (arrivals, continuation) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
        self.arrivals = arrivals
        let all = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: Laps.beats)], anchor: nil)
        let first = try await all.result(for: store)
        let box = AnchorBox(anchor: first.newAnchor)
        query = HKObserverQuery(sampleType: Laps.beats, predicate: nil) { _, done, _ in
            Task {
                let new = HKAnchoredObjectQueryDescriptor(
                    predicates: [.quantitySample(type: Laps.beats)], anchor: await box.anchor)
                if let result = try? await new.result(for: store), !result.addedSamples.isEmpty {
                    await box.set(result.newAnchor)
                    continuation.yield(.now)
                }
            }
            done()
        }
        store.execute(query)
        try await Task.sleep(for: .milliseconds(500))
    }

    func seconds(since start: ContinuousClock.Instant) async throws -> Double {
        for await arrival in arrivals {
            let duration = (arrival - start).components
            return Double(duration.seconds) + Double(duration.attoseconds) * 1e-18
        }
        throw LapError("the observer ended")
    }

    func stop() { store.stop(query) }
}

actor AnchorBox {
    private(set) var anchor: HKQueryAnchor
    init(anchor: HKQueryAnchor) { self.anchor = anchor }
    func set(_ anchor: HKQueryAnchor) { self.anchor = anchor }
}
