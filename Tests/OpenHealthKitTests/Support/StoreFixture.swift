import Foundation
import HealthEngine
import HealthStorage
import Synchronization
import Testing

@testable import OpenHealthKit

/// A test app with its own store, and direct access to the store's file.
struct StoreFixture {
    static let steps = HKQuantityType(.stepCount)
    static let mass = HKQuantityType(.bodyMass)
    static let heartRate = HKQuantityType(.heartRate)
    static let sleep = HKCategoryType(.sleepAnalysis)

    let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 700_000_000))
    let store: HKHealthStore

    /// Creates a store.
    ///
    /// - Parameter change: Changes to the default configuration, in which everything is granted.
    init(
        _ authorization: AuthorizationPolicy = .grant,
        change: (inout HealthStoreConfiguration) -> Void = { _ in }
    ) {
        var configuration = HealthStoreConfiguration(
            clock: clock, authorization: authorization,
            calendar: Calendar(identifier: .gregorian))
        configuration.diagnosticsSummary = .excluded
        change(&configuration)
        store = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.first", name: "First"),
            configuration: configuration)
    }

    /// Returns another app's handle of the same store.
    func app(_ name: String) -> HKHealthStore {
        store.withIdentity(AppIdentity("com.example.\(name)", name: name))
    }

    /// Creates a store whose first app has requested to save and read steps, weight, heart rate and
    /// sleep.
    static func authorized() async throws -> StoreFixture {
        let fixture = StoreFixture()
        try await requestAuthorization(fixture.store)
        return fixture
    }

    static func requestAuthorization(_ store: HKHealthStore) async throws {
        try await store.requestAuthorization(
            toShare: [steps, mass, heartRate, sleep], read: [steps, mass, heartRate, sleep])
    }

    func date(_ offset: TimeInterval = 0) -> Date {
        Date(timeIntervalSinceReferenceDate: 700_000_000 + offset)
    }

    func walk(_ count: Double = 100, at offset: TimeInterval = 0, lasting: TimeInterval = 60)
        -> HKQuantitySample
    {
        HKQuantitySample(
            type: Self.steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
            start: date(offset), end: date(offset + lasting))
    }
}

extension HKHealthStore {
    /// Returns the number of samples of a type that this app may read.
    func visibleCount(_ type: HKSampleType) throws -> Int {
        try visible(type).count
    }

    /// Returns the UUIDs of the samples of a type that this app may read.
    func visible(_ type: HKSampleType) throws -> [UUID] {
        let row = try #require(type.row)
        let result = try connection.readableStore.objects(
            [SampleRequest(row)], visibility: visibility(toRead: [type]))
        return result.uuids.prefix(result.count).map { UUID($0) }
    }
}

/// Returns the `HKError` of a body, which must throw one.
func failure(
    _ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) async -> HKError? {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as HKError {
        return error
    } catch {
        Issue.record("\(error) is no HKError", sourceLocation: sourceLocation)
    }
    return nil
}

/// Waits until a condition is true, for about a minute at most. Returns whether it became true.
func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
    for _ in 0..<12_000 {
        if try condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}

/// A collection of elements from other threads.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    var all: [Element] { elements.withLock { $0 } }
    var count: Int { all.count }
    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

/// A temporary folder, removed when the value is released.
final class StoreFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("OpenHealthKitTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension HealthStoreConfiguration {
    /// The configuration for tests that deliberately do what the diagnostics report.
    static var withoutSummary: HealthStoreConfiguration {
        var configuration = HealthStoreConfiguration()
        configuration.diagnosticsSummary = .excluded
        return configuration
    }
}

/// Changes to a store's file through a separate connection, like another process.
enum OtherConnection {
    static func save(_ sample: HKQuantitySample, in path: String) throws {
        let store = try SampleStore(at: path, access: .writing)
        let app = AppIdentity("com.example.other")
        let new = try SampleObjects.batch(of: [sample], source: app.source.value)
        try store.save(
            new.batch, uuids: new.uuids, at: Date().timeIntervalSinceReferenceDate)
    }
}
