/// A world of several apps and devices that share one health store, with its clock, its lock and
/// the user's answers in the test's hand: what Apple's API has no words for.
protocol TestWorld: Sendable {
    init(_ settings: WorldSettings) throws

    /// A handle of an app that has asked for nothing yet.
    func handle(_ app: TestApp) throws -> HKHealthStore

    /// Ranks the apps for a type as the user would, the winner first.
    func rank(_ apps: [TestApp], for type: HKSampleType) throws
    /// Takes an app out of a type's statistics, as the user's check mark does.
    func exclude(_ app: TestApp, from type: HKSampleType) throws
    /// Changes the user's answer after it was given.
    func answer(_ answers: Answers, to app: TestApp, about type: HKSampleType) throws

    /// Puts an app into the background.
    func suspend(_ app: TestApp)
    /// How many seconds a category's values lasted, merged over sources; Apple's API can't ask it.
    func seconds(of type: HKCategoryType, from start: Date, to end: Date) throws -> [Int: Double]

    func advance(by interval: TimeInterval)
    func lock()
    func unlock()
}

extension TestWorld {
    init() throws { try self.init(WorldSettings()) }

    /// A handle of an app that has asked for everything, whatever it was answered.
    func open(_ app: TestApp) async throws -> HKHealthStore {
        let store = try handle(app)
        try await store.requestAuthorization(
            toShare: OwnDays.writtenTypes, read: Set<HKObjectType>(OwnDays.writtenTypes))
        return store
    }

    /// Saves what an app recorded.
    func save(_ samples: [HKObject], as app: TestApp) async throws {
        try await open(app).save(samples)
    }
}

/// An app or a device, as a source of samples.
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

    /// The app as Apple's API names it.
    func source(in world: some TestWorld, of type: HKSampleType) async throws -> HKSource? {
        try await world.open(.ring).sources(of: type)
            .first { $0.bundleIdentifier == bundleIdentifier }
    }
}

/// What the user answers an app that asks.
struct Answers: Sendable {
    enum Leave: Sendable { case granted, denied }

    var sharing = Leave.granted
    var reading = Leave.granted
    /// The earliest moment that may be read; no limit if nil.
    var earliest: Date?

    static let granted = Answers()
    static let denied = Answers(sharing: .denied, reading: .denied)
    static let sharingOnly = Answers(reading: .denied)
    static let readingOnly = Answers(sharing: .denied)
}

/// What is asked about in a world's settings.
struct Question: Hashable, Sendable {
    var app: TestApp
    var type: String

    init(_ app: TestApp, _ type: HKObjectType) {
        self.app = app
        self.type = type.identifier
    }
}

/// How a world is; as HealthKit is unless said otherwise.
struct WorldSettings: Sendable {
    enum Strictness: Sendable { case lenient, strict }
    enum DiscreteMerge: Sendable { case allSources, bySourceOrder }
    enum Tombstones: Sendable { case besideTheLimit, insideTheLimit }
    enum Availability: Sendable { case available, unavailable }
    enum Entitlement: Sendable { case present, missing }

    /// Answers that differ from ``Answers/granted``.
    var answers: [Question: Answers] = [:]
    var strictness = Strictness.lenient
    var discreteMerge = DiscreteMerge.allSources
    var tombstones = Tombstones.besideTheLimit
    var availability = Availability.available
    var entitlement = Entitlement.present
    var gapTolerance: TimeInterval = 0
    var earliestPermitted: Date?
    /// Shuffles what Apple leaves unordered.
    var shuffle: UInt64?
    var calendar: Calendar?
}

/// A moment of 2024-05-01 in UTC.
func at(_ hour: Int, _ minute: Int = 0, _ second: Double = 0) -> Date {
    Date(timeIntervalSinceReferenceDate: 736_214_400 + Double(hour * 3600 + minute * 60) + second)
}

extension HKHealthStore {
    /// The merged sums of a day's hours that have one, by hour.
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

    /// The merged sum of steps over everything.
    func totalSteps() async throws -> Double? {
        try await statistics(HKQuantityType(.stepCount), nil, .cumulativeSum).sum()
    }
}

/// Compares the metadata key "laps"; with `>=` for a sign that it doesn't know.
func laps(_ sign: String, _ value: Int) -> NSPredicate {
    HKQuery.predicateForObjects(
        withMetadataKey: "laps",
        operatorType: sign == "=="
            ? .equalTo
            : sign == "!="
                ? .notEqualTo
                : sign == "<"
                    ? .lessThan
                    : sign == "<="
                        ? .lessThanOrEqualTo
                        : sign == ">" ? .greaterThan : .greaterThanOrEqualTo,
        value: value)
}
