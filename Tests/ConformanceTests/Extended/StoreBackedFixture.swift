import HealthEngine
import HealthStorage

@testable import OpenHealthKit
@testable import PortableConformance

/// A test fixture based on a store of this package.
protocol StoreBackedFixture: TestFixture {
    /// A handle without an app, from which the apps' handles are created.
    var base: HKHealthStore { get }
    var clock: ManualClock { get }
}

/// A fixture whose store exists as long as the test.
struct MemoryFixture: StoreBackedFixture {
    let base: HKHealthStore
    let clock: ManualClock

    init(_ settings: FixtureSettings) throws {
        clock = ManualClock(.storeCreation)
        base = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.nobody"),
            configuration: settings.configuration(clock))
    }
}

/// A fixture based on a file, which other processes can open too.
struct FileFixture: StoreBackedFixture {
    let base: HKHealthStore
    let clock: ManualClock

    init(_ settings: FixtureSettings) throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("conformance-\(UUID().uuidString).store").path
        try self.init(path: path, settings)
    }

    init(path: String, _ settings: FixtureSettings = FixtureSettings()) throws {
        clock = ManualClock(.storeCreation)
        base = try HKHealthStore(
            path: path, identity: AppIdentity("com.example.nobody"),
            configuration: settings.configuration(clock))
    }
}

extension StoreBackedFixture {
    func handle(_ app: TestApp) throws -> HKHealthStore { base.withIdentity(app.identity) }

    func setSourceOrder(_ apps: [TestApp], for type: HKSampleType) throws {
        try base.connection.store.setOrder(of: engineType(type), to: apps.map(\.name))
    }

    func exclude(_ app: TestApp, from type: HKSampleType) throws {
        try base.connection.store.set(.excluded, of: app.name, in: engineType(type))
    }

    func setPermissions(_ permissions: Permissions, of app: TestApp, for type: HKSampleType) throws
    {
        let row = AuthorizationRow(
            share: permissions.sharing == .granted ? .granted : .denied,
            read: permissions.reading == .granted ? .granted : .denied,
            earliest: permissions.earliest?.timeIntervalSinceReferenceDate)
        try base.connection.store.setAuthorization(
            [engineType(type).code: row], of: app.bundleIdentifier)
    }

    func suspend(_ app: TestApp) { base.withIdentity(app.identity).backgroundDelivery.suspend() }

    func seconds(
        of type: HKCategoryType, from start: Date, to end: Date
    ) throws -> [Int: Double] {
        let (start, end) = (
            start.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate
        )
        let query = SampleQuery(try engineType(type), from: start, to: end)
        return try base.connection.store.categoryStatistics(query, over: [start, end])
            .buckets.first?.merged.seconds ?? [:]
    }

    func advance(by interval: TimeInterval) { clock.advance(by: interval) }
    func lock() { base.protectedData.lock() }
    func unlock() { base.protectedData.unlock() }

    private func engineType(_ type: HKSampleType) throws -> SampleType {
        try base.connection.store.type(named: type.identifier)
    }
}

extension TestApp {
    var identity: AppIdentity {
        AppIdentity(bundleIdentifier, name: name, version: "1.0", productType: productType)
    }
}

extension HKHealthStore {
    /// The source of this handle's samples.
    var source: HKSource { identity.source }
}

extension Date {
    /// Noon of the day after the samples of ``at(_:_:_:)``.
    fileprivate static var storeCreation: Date { at(36) }
}

extension FixtureSettings {
    fileprivate func configuration(_ clock: ManualClock) -> HealthStoreConfiguration {
        let permissions = permissions
        var configuration = HealthStoreConfiguration(
            clock: clock,
            authorization: .custom { prompt in
                let entry = permissions.first {
                    $0.key.app.bundleIdentifier == prompt.app.bundleIdentifier
                        && $0.key.type == prompt.type.identifier
                }
                return (entry?.value ?? .granted).decision
            })
        // The rules also apply to careless apps, so most tests don't follow the diagnostics.
        configuration.diagnosticsSummary = .excluded
        if let calendar { configuration.calendar = calendar }
        configuration.availability = availability == .available ? .available : .unavailable
        configuration.backgroundDeliveryEntitlement =
            entitlement == .present ? .present : .missing
        configuration.strictness = strictness == .strict ? .strict : .lenient
        configuration.discreteMerge = discreteMerge == .allSources ? .allSources : .bySourceOrder
        configuration.tombstoneLimit =
            tombstones == .excludedFromLimit ? .samplesOnly : .samplesAndDeletions
        if let shuffle { configuration.unsortedOrder = .shuffled(seed: shuffle) }
        if let earliestPermitted { configuration.earliestPermittedSampleDate = earliestPermitted }
        for type in TestDays.quantityTypes where gapTolerance > 0 {
            configuration.gapTolerance[.init(rawValue: type.identifier)] = gapTolerance
        }
        return configuration
    }
}

extension Permissions {
    fileprivate var decision: AuthorizationDecision {
        AuthorizationDecision(
            sharing: sharing == .granted ? .granted : .denied,
            reading: reading == .denied ? .denied : earliest.map { .since($0) } ?? .granted)
    }
}
