import Foundation
import HealthEngine
import HealthStorage
import Synchronization
import Testing

@testable import OpenHealthKit

/// What the tests of the store handle share: an app with a store of its own, and the way back from
/// the file, past all queries.
struct StoreFixture {
    static let steps = HKQuantityType(.stepCount)
    static let mass = HKQuantityType(.bodyMass)
    static let heartRate = HKQuantityType(.heartRate)
    static let sleep = HKCategoryType(.sleepAnalysis)

    let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 700_000_000))
    let store: HKHealthStore

    /// - Parameter change: What is different from a store whose person grants everything.
    init(
        _ authorization: AuthorizationPolicy = .grant,
        change: (inout HealthStoreConfiguration) -> Void = { _ in }
    ) {
        var configuration = HealthStoreConfiguration(
            clock: clock, authorization: authorization,
            calendar: Calendar(identifier: .gregorian))
        configuration.diagnosticsSummary = .leftOut
        change(&configuration)
        store = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.first", name: "First"),
            configuration: configuration)
    }

    /// Another app on the same store.
    func app(_ name: String) -> HKHealthStore {
        store.withIdentity(AppIdentity("com.example.\(name)", name: name))
    }

    /// A store whose first app has asked to save and read steps, weight, heart rate and sleep.
    static func asked() async throws -> StoreFixture {
        let fixture = StoreFixture()
        try await ask(fixture.store)
        return fixture
    }

    static func ask(_ store: HKHealthStore) async throws {
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
    /// How many samples of a type this app may see.
    func visibleCount(_ type: HKSampleType) throws -> Int {
        try visible(type).count
    }

    /// The UUIDs of the samples of a type that this app may see.
    func visible(_ type: HKSampleType) throws -> [UUID] {
        let row = try #require(type.row)
        let answer = try connection.readableStore.objects(
            [SampleRequest(row)], visibility: visibility(toRead: [type]))
        return answer.uuids.prefix(answer.count).map { UUID($0) }
    }
}

/// Runs a body that must fail with an `HKError`, and gives it.
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

/// Waits until something holds, for at most five seconds.
func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
    for _ in 0..<12_000 {
        if try condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}

/// What arrives on other threads.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    var all: [Element] { elements.withLock { $0 } }
    var count: Int { all.count }
    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

/// A folder that goes with the value.
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
    /// Of stores whose tests do what the diagnostics warn of: their findings are the test's.
    static var misusedOnPurpose: HealthStoreConfiguration {
        var configuration = HealthStoreConfiguration()
        configuration.diagnosticsSummary = .leftOut
        return configuration
    }
}
