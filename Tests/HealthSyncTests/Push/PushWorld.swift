import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage
import HealthSync
import HealthTesting
import OpenHealthKit

/// A health store and a server in files of a temporary folder, and the parts of a push between
/// them.
struct PushWorld {
    let folder: TemporaryFolder
    let store: HKHealthStore
    let server: PushServer
    let positions: URL
    /// The time that delays are measured with.
    let time = LockedBox(Date(timeIntervalSinceReferenceDate: 800_000_000))
    let clock = TestClock()
    private let numbers = LockedBox(SeededRandom(seed: 17))

    static let types: [HKSampleType] = [
        HKQuantityType(.bodyMass), HKQuantityType(.stepCount), HKQuantityType(.heartRate),
        HKQuantityType(.distanceWalkingRunning), HKCategoryType(.sleepAnalysis),
        HKCorrelationType(.bloodPressure), .workoutType(), HKSeriesType.workoutRoute(),
    ]

    init(_ fault: @escaping @Sendable (Int) -> PushServer.Fault = { _ in .none }) async throws {
        folder = try TemporaryFolder()
        var configuration = HealthStoreConfiguration()
        configuration.diagnosticsSummary = .excluded
        store = try HKHealthStore(
            path: folder.path + "/phone.sqlite", configuration: configuration)
        server = try PushServer(
            SampleStore(
                at: folder.path + "/server.sqlite", access: .creating), fault)
        positions = URL(fileURLWithPath: folder.path + "/positions.sqlite")
        let parts: [HKSampleType] = [
            HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
        ]
        let readable = Set(Self.types.filter { !($0 is HKCorrelationType) } + parts)
        try await store.requestAuthorization(toShare: readable, read: readable)
    }

    /// Returns a watcher and a push, as at a launch of the app.
    func launch(
        _ types: [HKSampleType] = types, token: String = "secret",
        firstRun: FirstRun = .everything,
        pageSize: Int = 100, probe: SyncProbe = .none,
        random: (@Sendable () -> Double)? = nil
    ) async throws -> (watcher: Watcher, push: Push) {
        var configuration = Watcher.Configuration()
        configuration.pageSize = pageSize
        configuration.retryDelays = []
        let time = time
        let watcher = Watcher(
            store: store, types: types.map { TrackedType($0) },
            positions: try PositionFile(at: positions), firstRun: firstRun,
            configuration: configuration, now: { time { $0 } }, clock: clock, probe: probe)
        let push = try await watcher.push(
            to: target(token), transport: server.transport,
            random: random ?? { [numbers] in
                numbers { Double.random(in: 0...1, using: &$0) }
            })
        return (watcher, push)
    }

    func target(_ token: String = "secret") throws -> PushTarget {
        guard let url = URL(string: "http://127.0.0.1:8080") else { throw URLError(.badURL) }
        return try PushTarget(url: url, token: token)
    }

    /// Lets an hour pass, so that no backoff is left.
    func wait() { time { $0.addTimeInterval(3600) } }

    /// Syncs as at a launch of the app, again and again until nothing fails. Returns how often.
    @discardableResult
    func syncUntilDone(
        _ types: [HKSampleType] = types, pageSize: Int = 100, limit: Int = 50
    ) async throws -> Int {
        for attempt in 1...limit {
            let (watcher, _) = try await launch(types, pageSize: pageSize)
            if try await watcher.sync().failures.isEmpty { return attempt }
            wait()
        }
        return limit + 1
    }

    // MARK: - Samples

    static let start = Date(timeIntervalSinceReferenceDate: 794_044_800.125)

    func walk(_ count: Double, at minute: Double = 0) -> HKQuantitySample {
        let start = Self.start.addingTimeInterval(minute * 60)
        return HKQuantitySample(
            type: HKQuantityType(.stepCount),
            quantity: HKQuantity(unit: .count(), doubleValue: count), start: start,
            end: start.addingTimeInterval(50.1))
    }

    @discardableResult
    func saveWalks(_ count: Int, from minute: Double = 0) async throws -> [HKQuantitySample] {
        let walks = (0..<count).map { walk(Double($0) + 0.1, at: minute + Double($0)) }
        try await store.save(walks)
        return walks
    }

    /// Stores an activity summary of 1 March 2026 at the phone, which no app can save.
    func saveRings(_ energy: Double) throws {
        guard let type = Catalogue.types.first(where: { $0.kind == .activitySummary }) else {
            return
        }
        var summary = ActivitySummary(date: "2026-03-01")
        summary.activeEnergyBurned = energy
        summary.activeEnergyBurnedUnit = "kcal"
        try store(
            Sample(type: type.code, origin: 0, start: 794_016_000, end: 794_016_000),
            .activitySummary(summary))
    }

    /// Stores a sample at the phone that no app can save.
    func store(_ sample: Sample, _ detail: SampleDetail) throws {
        var page = IntakeBatch()
        page.samples = SampleBatch(
            samples: [sample],
            sources: [Source(name: "Watch", bundleIdentifier: "com.apple.health.1")],
            origins: [Origin(source: 0)], details: [0: detail])
        page.identities = [
            .healthKit(SampleUUID(high: 0x0a0b_0c0d_0000_4000, low: 0x8000_0000_0000_0001))
        ]
        page.indices = [0]
        page.recordCount = 1
        let phone = try SampleStore(at: folder.path + "/phone.sqlite", access: .writing)
        let delivery = IntakeDelivery(
            device: "d", dialect: "t", bodyDigest: [], receivedAt: sample.end + 60)
        guard case .pending(let receipt) = try phone.beginIntake(delivery) else { return }
        _ = try phone.take(page, of: delivery, receipt)
    }

    // MARK: - Comparison

    /// The samples of the phone's store and those of the server's, as the lines of an export,
    /// without their creation times.
    func exports() throws -> (phone: [String], server: [String]) {
        let path = folder.path + "/phone.sqlite"
        return (
            try Self.lines(of: SampleStore(at: path, access: .reading)),
            try Self.lines(of: server.store)
        )
    }

    private static func lines(of store: SampleStore) throws -> [String] {
        let writer = SampleLines(.jsonLines, CalendarBuckets(timeZone: .gmt))
        var text = ""
        try store.forEachExportedBatch(ExportSelection()) { text += writer.text($0) }
        return text.split(separator: "\n").map {
            String($0.replacing(/"created":"[^"]*",?/, with: ""))
        }.sorted()
    }

    /// The texts of the requests' bodies.
    var bodies: [String] { server.now.requests.map { String(decoding: $0.body, as: UTF8.self) } }
}
