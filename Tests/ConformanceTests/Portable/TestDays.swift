/// Days in 2002 that belong to one test, away from data on a phone.
///
/// Each portable test writes only to its own days, which are cleared before and after it. December
/// belongs to the experiments with two sources: see ``SecondSource``.
struct TestDays: Sendable {
    let store: HKHealthStore
    /// Midnight UTC of the test's second day. The day before and the two after also belong to the
    /// test.
    let start: Date

    func at(_ hour: Int, _ minute: Int = 0, _ second: Double = 0) -> Date {
        start.addingTimeInterval(Double(hour * 3600 + minute * 60) + second)
    }

    /// A predicate for all of this app's samples in the test's days.
    var ownSamples: NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [
            samplesOfAllSources, HKQuery.predicateForObjects(from: .default()),
        ])
    }

    /// A predicate for the samples of all apps in the test's days.
    var samplesOfAllSources: NSPredicate {
        HKQuery.predicateForSamples(
            withStart: start.addingTimeInterval(-86_400),
            end: start.addingTimeInterval(3 * 86_400), options: .strictStartDate)
    }

    /// The types the suite requests, all at once, so that a phone shows one permission sheet.
    static let quantityTypes: [HKQuantityType] = [
        HKQuantityType(.stepCount), HKQuantityType(.heartRate), HKQuantityType(.bodyMass),
        HKQuantityType(.activeEnergyBurned), HKQuantityType(.distanceWalkingRunning),
        HKQuantityType(.environmentalAudioExposure), HKQuantityType(.bloodPressureSystolic),
        HKQuantityType(.bloodPressureDiastolic), HKQuantityType(.flightsClimbed),
        HKQuantityType(.runningPower), HKQuantityType(.dietaryWater),
        HKQuantityType(.bloodGlucose),
    ]

    static let writtenTypes: Set<HKSampleType> = Set<HKSampleType>(quantityTypes)
        .union([
            HKCategoryType(.sleepAnalysis), HKCategoryType(.mindfulSession),
            HKObjectType.workoutType(), HKSeriesType.workoutRoute(),
            HKSeriesType.heartbeat(), HKObjectType.audiogramSampleType(),
        ])
        .union(mindTypes)

    /// The types of states of mind and questionnaires, where the system has them.
    private static var mindTypes: Set<HKSampleType> {
        guard #available(iOS 18, watchOS 11, visionOS 2, *) else { return [] }
        return [
            .stateOfMindType(), HKScoredAssessmentType(.GAD7), HKScoredAssessmentType(.PHQ9),
        ]
    }

    /// The error for more tests than the days until December can take.
    private struct TooManyTests: Error {}

    /// 2002-01-01T00:00Z.
    static let firstDay = Date(timeIntervalSinceReferenceDate: 31_536_000)

    /// Assigns days: four to each test, in the order of requests.
    private actor Calendar {
        static let shared = Calendar()
        private var count = 0

        func next() throws -> Date {
            count += 1
            // The second of the test's four days.
            let start = TestDays.firstDay + Double(count) * 4 * 86_400
            guard start + 3 * 86_400 <= SecondSource.firstDay else { throw TooManyTests() }
            return start
        }
    }

    /// Runs a test with its own days and clears them afterwards.
    static func with(_ body: (TestDays) async throws -> Void) async throws {
        try await with(start: Calendar.shared.next(), body)
    }

    /// Runs a test whose second day begins at a date, and clears its days afterwards.
    static func with(start: Date, _ body: (TestDays) async throws -> Void) async throws {
        let store = HKHealthStore()
        try await store.requestAuthorization(
            toShare: writtenTypes, read: Set<HKObjectType>(writtenTypes))
        let days = TestDays(store: store, start: start)
        try await days.empty()
        do {
            try await body(days)
        } catch {
            try await days.empty()
            throw error
        }
        try await days.empty()
    }

    private func empty() async throws {
        try await Self.delete(ownSamples, from: store)
    }

    /// Deletes all samples of this app in 2002, also those of tests that were interrupted.
    static func emptyAll(of store: HKHealthStore) async throws {
        let year = HKQuery.predicateForSamples(
            withStart: firstDay, end: firstDay + 365 * 86_400, options: .strictStartDate)
        try await delete(
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                year, HKQuery.predicateForObjects(from: .default()),
            ]), from: store)
    }

    private static func delete(_ samples: NSPredicate, from store: HKHealthStore) async throws {
        let correlations: [HKSampleType] = [HKCorrelationType(.bloodPressure)]
        for type in correlations + Array(writtenTypes) {
            _ = try await store.deleteObjects(of: type, predicate: samples)
        }
    }
}
