@testable import PortableConformance

/// Several apps and devices that share one health store. The test controls the clock, the lock and
/// the user's permissions, which Apple's API can't.
protocol TestFixture: Sendable {
    init(_ settings: FixtureSettings) throws

    /// Returns a handle of an app that hasn't requested access.
    func handle(_ app: TestApp) throws -> HKHealthStore

    /// Ranks the apps for a type as the user would, the highest priority first.
    func setSourceOrder(_ apps: [TestApp], for type: HKSampleType) throws
    /// Excludes an app from a type's statistics, like the user's check mark.
    func exclude(_ app: TestApp, from type: HKSampleType) throws
    /// Changes the user's permissions for one app and type.
    func setPermissions(_ permissions: Permissions, of app: TestApp, for type: HKSampleType) throws

    /// Moves an app to the background.
    func suspend(_ app: TestApp)
    /// Returns the seconds of each category value, merged over sources. Apple's API can't query
    /// this.
    func seconds(of type: HKCategoryType, from start: Date, to end: Date) throws -> [Int: Double]

    func advance(by interval: TimeInterval)
    func lock()
    func unlock()
}

extension TestFixture {
    init() throws { try self.init(FixtureSettings()) }

    /// Returns a handle of an app that has requested access to everything, whatever the
    /// permissions.
    func open(_ app: TestApp) async throws -> HKHealthStore {
        let store = try handle(app)
        try await store.requestAuthorization(
            toShare: TestDays.writtenTypes, read: Set<HKObjectType>(TestDays.writtenTypes))
        return store
    }

    /// Saves an app's samples.
    func save(_ samples: [HKObject], as app: TestApp) async throws {
        try await open(app).save(samples)
    }
}

/// An app or a device that is a source of samples.
struct TestApp: Hashable, Sendable {
    var bundleIdentifier: String
    var name: String
    var productType: String?

    static let health = TestApp(bundleIdentifier: "com.apple.Health", name: "Health")
    static let watch = device("B0B1", "Watch", "Watch6,1")
    static let newerWatch = device("B0B2", "New Watch", "Watch7,3")
    static let phone = device("A0A1", "iPhone", "iPhone13,2")
    static let newerPhone = device("A0A2", "New iPhone", "iPhone16,1")
    static let diary = TestApp(bundleIdentifier: "com.example.diary", name: "Diary")
    static let ring = TestApp(bundleIdentifier: "com.example.ring", name: "Ring")

    private static func device(_ part: String, _ name: String, _ product: String) -> TestApp {
        TestApp(
            bundleIdentifier: "com.apple.health.00000000-0000-4000-8000-00000000\(part)",
            name: name, productType: product)
    }

    /// Returns the app's source from Apple's API.
    func source(in fixture: some TestFixture, of type: HKSampleType) async throws -> HKSource? {
        try await fixture.open(.ring).sources(of: type)
            .first { $0.bundleIdentifier == bundleIdentifier }
    }
}

/// The user's permissions for an app and a type.
struct Permissions: Sendable {
    enum Decision: Sendable { case granted, denied }

    var sharing = Decision.granted
    var reading = Decision.granted
    /// The earliest date that may be read, or nil for no limit.
    var earliest: Date?

    static let granted = Permissions()
    static let denied = Permissions(sharing: .denied, reading: .denied)
    static let sharingOnly = Permissions(reading: .denied)
    static let readingOnly = Permissions(sharing: .denied)
}

/// A pair of app and type in a fixture's settings.
struct PermissionKey: Hashable, Sendable {
    var app: TestApp
    var type: String

    init(_ app: TestApp, _ type: HKObjectType) {
        self.app = app
        self.type = type.identifier
    }
}

/// The settings of a fixture. The defaults match HealthKit.
struct FixtureSettings: Sendable {
    enum Strictness: Sendable { case lenient, strict }
    enum DiscreteMerge: Sendable { case allSources, bySourceOrder }
    enum Tombstones: Sendable { case excludedFromLimit, includedInLimit }
    enum Availability: Sendable { case available, unavailable }
    enum Entitlement: Sendable { case present, missing }

    /// Permissions other than ``Permissions/granted``.
    var permissions: [PermissionKey: Permissions] = [:]
    var strictness = Strictness.lenient
    var discreteMerge = DiscreteMerge.allSources
    var tombstones = Tombstones.excludedFromLimit
    var availability = Availability.available
    var entitlement = Entitlement.present
    var gapTolerance: TimeInterval = 0
    var earliestPermitted: Date?
    /// A seed to shuffle results whose order Apple doesn't define.
    var shuffle: UInt64?
    var calendar: Calendar?
}

/// Returns a time on 2024-05-01 in UTC.
func at(_ hour: Int, _ minute: Int = 0, _ second: Double = 0) -> Date {
    Date(timeIntervalSinceReferenceDate: 736_214_400 + Double(hour * 3600 + minute * 60) + second)
}

extension HKHealthStore {
    /// Returns the merged sums of a day's hours with data, by hour.
    func hourlySums(_ type: HKQuantityTypeIdentifier = .stepCount) async throws -> [Int: Double] {
        let collection = try await collection(
            HKQuantityType(type), nil, .cumulativeSum, from: at(0), every: DateComponents(hour: 1))
        var sums: [Int: Double] = [:]
        for bucket in collection.statistics() {
            let hour = Int(bucket.startDate.timeIntervalSince(at(0)) / 3600)
            sums[hour] = bucket.sumQuantity()?.doubleValue(for: .count())
        }
        return sums
    }

    /// Returns the merged sum of all steps.
    func totalSteps() async throws -> Double? {
        try await statistics(HKQuantityType(.stepCount), nil, .cumulativeSum).sum()
    }
}

/// Returns a predicate on the metadata key "laps". An unknown operator counts as `>=`.
func laps(_ comparison: String, _ value: Int) -> NSPredicate {
    HKQuery.predicateForObjects(
        withMetadataKey: "laps",
        operatorType: comparison == "=="
            ? .equalTo
            : comparison == "!="
                ? .notEqualTo
                : comparison == "<"
                    ? .lessThan
                    : comparison == "<="
                        ? .lessThanOrEqualTo
                        : comparison == ">" ? .greaterThan : .greaterThanOrEqualTo,
        value: value)
}
