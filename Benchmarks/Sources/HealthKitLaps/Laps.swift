import Foundation
import HealthKit

/// The measurements, each with a check of its answer.
struct Laps {
    let folder: String
    let importedStore: String
    let rounds: Int
    private(set) var seconds: [String: [Double]] = [:]

    init(folder: String, importedStore: String, rounds: Int) {
        self.folder = folder
        self.importedStore = importedStore
        self.rounds = rounds
    }

    static let beats = HKQuantityType(.heartRate)
    static let unit = HKUnit.count().unitDivided(by: .minute())

    static func heartRate(_ value: Double, at date: Date) -> HKQuantitySample {
        HKQuantitySample(
            type: beats, quantity: HKQuantity(unit: unit, doubleValue: value), start: date,
            end: date)
    }

    mutating func run() async throws {
        let store = try HKHealthStore(path: folder + "/laps.sqlite")
        try await store.requestAuthorization(toShare: [Self.beats], read: [Self.beats])
        try await saving(store)
        try await reading(store)
        try await collecting()
        try await waking(store)
        try await idling(store)
        try await stopping(store)
    }

    mutating func add(_ lap: String, _ value: Double) { seconds[lap, default: []].append(value) }

    private mutating func time(_ lap: String, _ body: () async throws -> Void) async rethrows {
        add(lap, try await Self.seconds(body))
    }

    /// Times ten saves of 10,000 samples each.
    private mutating func saving(_ store: HKHealthStore) async throws {
        let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
        for batch in 0..<10 {
            let samples = (0..<10_000).map { index in
                Self.heartRate(
                    Double(60 + index % 40),
                    at: start.addingTimeInterval(Double(batch * 10_000 + index)))
            }
            try await time("10,000 samples in one save") { try await store.save(samples) }
        }
    }

    private mutating func reading(_ store: HKHealthStore) async throws {
        for _ in 0..<rounds {
            var samples: [HKSample] = []
            try await time("HKSampleQuery, 100,000 samples") {
                samples = try await Self.samples(of: Self.beats, in: store)
            }
            let sum = samples.reduce(0) { sum, sample in
                sum + ((sample as? HKQuantitySample)?.quantity.doubleValue(for: Self.unit) ?? 0)
            }
            guard samples.count == 100_000, sum == 7_950_000 else {
                throw LapError("the samples read are not those saved: \(samples.count), \(sum)")
            }
        }
    }

    private static func samples(
        of type: HKSampleType, in store: HKHealthStore
    ) async throws -> [HKSample] {
        try await withCheckedThrowingContinuation { continuation in
            store.execute(
                HKSampleQuery(
                    sampleType: type, predicate: nil, limit: HKObjectQueryNoLimit,
                    sortDescriptors: nil
                ) { _, samples, error in
                    if let samples {
                        continuation.resume(returning: samples)
                    } else {
                        continuation.resume(throwing: error ?? LapError("neither nor"))
                    }
                })
        }
    }

    /// Executes and stops 10,000 observers, and measures the memory that remains in use, in bytes.
    private mutating func stopping(_ store: HKHealthStore) async throws {
        for round in 0..<3 {
            let before = Process.residentBytes
            for _ in 0..<10_000 {
                let query = HKObserverQuery(sampleType: Self.beats, predicate: nil) { _, done, _ in
                    done()
                }
                store.execute(query)
                store.stop(query)
            }
            try await Task.sleep(for: .milliseconds(300))
            // The first round fills the allocator's caches.
            if round > 0 {
                add("bytes left by 10,000 queries", Double(max(0, Process.residentBytes - before)))
            }
        }
    }
}

extension Process {
    /// The resident memory of this process in bytes.
    static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let words = text.split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
    }
}
