import Foundation
import HealthEngine
import HealthKit
import HealthStorage
import HealthSync
import Prompting

/// The measurements, each with a check of its answer.
struct Laps {
    let folder: URL
    let path: String
    let rounds: Int
    let writer: String
    let store: HKHealthStore
    /// The number of samples in the store, by type.
    let counts: [HKSampleType: Int]
    private(set) var figures: [String: [Double]] = [:]

    static let beats = HKQuantityType(.heartRate)
    static let mass = HKQuantityType(.bodyMass)
    static let perMinute = HKUnit.count().unitDivided(by: .minute())
    static let day: TimeInterval = 86_400

    /// Copies the store and counts its samples.
    init(folder: String, store: String, rounds: Int, writer: String) throws {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory)
        self.rounds = rounds
        self.writer = writer
        path = folder + "/store.sqlite"
        let files = FileManager.default
        for suffix in ["", "-wal"] where files.fileExists(atPath: store + suffix) {
            try files.copyItem(atPath: store + suffix, toPath: path + suffix)
        }
        counts = try Self.counts(path)
        self.store = try HKHealthStore(path: path)
    }

    /// Uses the heart rates of a store, which isn't copied.
    init(folder: String, heartRateOf path: String, writer: String) throws {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory)
        self.path = path
        self.writer = writer
        rounds = 0
        counts = try Self.counts(path).filter { $0.key == Self.beats }
        store = try HKHealthStore(path: path)
    }

    /// Returns the number of samples of a store, by type.
    private static func counts(_ path: String) throws -> [HKSampleType: Int] {
        let samples = try SampleStore(at: path, access: .reading)
        let counts = try Dictionary(
            samples.types().compactMap { summary in
                Self.type(summary.type).map { ($0, summary.samples) }
            }, uniquingKeysWith: +)
        try samples.close()
        return counts
    }

    mutating func run() async throws {
        try await store.requestAuthorization(
            toShare: [Self.beats, Self.mass], read: Set(counts.keys.map { $0 as HKObjectType }))
        let mirror = try Mirror(at: folder.appending(path: "mirror.sqlite"))
        try await saveWeights()
        let week = try await Week(store)
        try await mirroring(mirror, more: 365 + week.before.count)
        try await reading(mirror)
        try await catchingUp(mirror, week)
        try await comparing(mirror, week)
        // Before `waking`, which leaves timers for handler deadlines that end more than 25 seconds
        // later.
        try await idling()
        try await waking(mirror)
    }

    /// Mirrors all heart rates, and times one saved heart rate to its row in the mirror.
    mutating func runHeartRate() async throws {
        try await store.requestAuthorization(
            toShare: [Self.beats], read: Set(counts.keys.map { $0 as HKObjectType }))
        let mirror = try Mirror(at: folder.appending(path: "mirror.sqlite"))
        try await mirroring(mirror, more: 0)
        try await waking(mirror)
    }

    mutating func add(_ lap: String, _ value: Double) { figures[lap, default: []].append(value) }

    func watcher(_ mirror: Mirror) async throws -> Watcher {
        var configuration = Watcher.Configuration()
        configuration.reconciledDays = 0
        let watcher = Watcher(
            store: store, types: counts.keys.map { TrackedType($0) }, positions: mirror,
            configuration: configuration)
        try await watcher.mirror(into: mirror)
        return watcher
    }

    /// Returns the sample type if apps can query it directly.
    private static func type(_ type: SampleType) -> HKSampleType? {
        switch type.kind {
        case .quantity: HKQuantityType(HKQuantityTypeIdentifier(rawValue: type.identifier))
        case .category: HKCategoryType(HKCategoryTypeIdentifier(rawValue: type.identifier))
        case .workout: HKObjectType.workoutType()
        case .correlation, .activitySummary, .other: nil
        }
    }

    static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - start) / .seconds(1)
    }
}

// MARK: - The whole history, and a year of it

extension Laps {
    /// Saves a weight for each day of the year that ends today.
    private func saveWeights() async throws {
        let now = Date()
        try await store.save(
            (0..<365).map { index in
                let date = now.addingTimeInterval(Double(index - 365) * Self.day)
                return HKQuantitySample(
                    type: Self.mass,
                    quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 80),
                    start: date, end: date)
            })
    }

    /// Times the first mirror of the whole store.
    private mutating func mirroring(_ mirror: Mirror, more: Int) async throws {
        let watcher = try await watcher(mirror)
        let expected = counts.values.reduce(more, +)
        let memory = Task {
            var early: Double?
            var most = 0.0
            while !Task.isCancelled {
                let added = watcher.statuses.flatMap(\.subscribers.values).map(\.added).reduce(0, +)
                let bytes = Process.residentBytes
                if early == nil, added >= expected / 4 { early = bytes }
                most = max(most, bytes)
                try? await Task.sleep(for: .milliseconds(50))
            }
            return (early: early ?? 0, most: most)
        }
        let seconds = try await Self.seconds {
            let summary = try await watcher.sync()
            for failure in summary.failures.values { throw failure }
        }
        memory.cancel()
        let held = await memory.value
        for (type, count) in counts where type != Self.beats && type != Self.mass {
            let kept = try await mirror.count(EntryRequest(of: type))
            guard kept == count else {
                throw LapError("\(type.identifier): \(kept) entries of \(count) samples")
            }
        }
        let kept = try await mirror.count(EntryRequest())
        guard kept == expected else { throw LapError("\(kept) entries of \(expected) samples") }
        add("first mirror", seconds)
        add("first mirror, a million samples", seconds * 1e6 / Double(expected))
        add("memory after a quarter", held.early)
        add("most memory", held.most)
        add("memory grown since a quarter", held.most - held.early)
    }

    private mutating func reading(_ mirror: Mirror) async throws {
        let now = Date()
        let year = now.addingTimeInterval(-365.5 * Self.day)
        let shown = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: Self.mass,
                    predicate: HKQuery.predicateForSamples(withStart: year, end: now, options: []))
            ], sortDescriptors: []
        ).result(for: store)
        let sum = shown.reduce(0) { $0 + $1.quantity.doubleValue(for: .gramUnit(with: .kilo)) }
        for round in 0...rounds {
            var entries: [MirrorEntry] = []
            let seconds = try await Self.seconds {
                entries = try await mirror.entries(of: Self.mass, from: year, to: now)
            }
            let kept = entries.reduce(0) { sum, entry in
                if case .quantity(let value, unit: "kg") = entry.content { return sum + value }
                return sum
            }
            guard entries.count == shown.count, shown.count >= 365, abs(kept - sum) < 1e-6 else {
                throw LapError("\(entries.count) weights of \(shown.count), \(kept) kg of \(sum)")
            }
            if round > 0 { add("a year of weights", seconds) }
        }
        add("weights in that year", Double(shown.count))
    }
}

// MARK: - Live changes

extension Laps {
    /// Times from a save to the committed row, in this process and from another.
    private mutating func waking(_ mirror: Mirror) async throws {
        let watcher = try await watcher(mirror)
        await watcher.start()
        for failure in try await watcher.sync().failures.values { throw failure }
        try await Task.sleep(for: .milliseconds(500))
        let updates = watcher.statusUpdates
        var arrivals = updates.compactMap { status in
            status.sampleType == Self.beats ? status.subscribers["mirror"]?.added : nil
        }.makeAsyncIterator()
        var added =
            watcher.status(of: TrackedType(Self.beats))?.subscribers["mirror"]?.added ?? 0
        let before = try await mirror.count(EntryRequest(of: Self.beats))

        func arrival(since start: ContinuousClock.Instant) async throws -> Double {
            while let now = await arrivals.next() {
                guard now > added else { continue }
                added = now
                return (ContinuousClock.now - start) / .seconds(1)
            }
            throw LapError("the watcher ended")
        }
        for round in 0...50 {
            let sample = Week.beat(at: Date())
            let (start, used) = (ContinuousClock.now, Process.processorSeconds)
            try await store.save(sample)
            let seconds = try await arrival(since: start)
            let processor = Process.processorSeconds - used
            guard try await mirror.entry(sample.uuid) != nil else {
                throw LapError("a sample that was handed over isn't in the mirror")
            }
            if round > 0 {
                add("saved to mirrored", seconds)
                add("saved to mirrored, processor", processor)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        let other = try PromptedProcess(writer: writer, store: path)
        for round in 0...50 {
            let start = ContinuousClock.now
            try other.prompt()
            let seconds = try await arrival(since: start)
            if round > 0 { add("saved to mirrored, another process", seconds) }
            try await Task.sleep(for: .milliseconds(20))
        }
        other.end()
        await watcher.stop()
        let kept = try await mirror.count(EntryRequest(of: Self.beats)) - before
        guard kept == 102 else { throw LapError("\(kept) of 102 samples were mirrored") }
    }

    /// Measures the processor share of 100 types while nothing changes.
    private mutating func idling() async throws {
        let types = Catalogue.types.filter { $0.kind == .quantity }.prefix(100)
            .map { HKQuantityType(HKQuantityTypeIdentifier(rawValue: $0.identifier)) }
        guard types.count == 100 else { throw LapError("\(types.count) quantity types") }
        try await store.requestAuthorization(toShare: [], read: Set(types))
        let mirror = try Mirror(at: folder.appending(path: "idle.sqlite"))
        let watcher = Watcher(
            store: store, types: types.map { TrackedType($0) }, positions: mirror,
            firstRun: .fromNow)
        try await watcher.mirror(into: mirror)
        await watcher.start()
        for failure in try await watcher.sync().failures.values { throw failure }
        // Dispatch ends the threads of the first reads five seconds later.
        try await Task.sleep(for: .seconds(8))
        let span = rounds > 10 ? 20.0 : 3
        let before = Process.processorSeconds
        try await Task.sleep(for: .seconds(span))
        add("share of a core, 100 idle types", (Process.processorSeconds - before) / span)
        await watcher.stop()
    }
}
