/// Days in 2002 and later that belong to one test, away from data on a phone.
///
/// Each portable test writes only to its own days, which are cleared before and after it.
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
            HKQuery.predicateForSamples(
                withStart: start.addingTimeInterval(-86_400),
                end: start.addingTimeInterval(3 * 86_400), options: .strictStartDate),
            HKQuery.predicateForObjects(from: .default()),
        ])
    }

    /// The types the suite requests, all at once, so that a phone shows one permission sheet.
    static let quantityTypes: [HKQuantityType] = [
        HKQuantityType(.stepCount), HKQuantityType(.heartRate), HKQuantityType(.bodyMass),
        HKQuantityType(.activeEnergyBurned), HKQuantityType(.distanceWalkingRunning),
        HKQuantityType(.environmentalAudioExposure), HKQuantityType(.bloodPressureSystolic),
        HKQuantityType(.bloodPressureDiastolic), HKQuantityType(.flightsClimbed),
        HKQuantityType(.runningPower), HKQuantityType(.dietaryWater),
    ]

    static let writtenTypes: Set<HKSampleType> = Set<HKSampleType>(quantityTypes)
        .union([
            HKCategoryType(.sleepAnalysis), HKCategoryType(.mindfulSession),
            HKObjectType.workoutType(), HKSeriesType.workoutRoute(),
            HKSeriesType.heartbeat(),
        ])

    /// Assigns days: four to each test, in the order of requests.
    private actor Calendar {
        static let shared = Calendar()
        private var count = 0

        func next() -> Date {
            count += 1
            // From 2002-01-01T00:00Z, the second of the test's four days.
            return Date(timeIntervalSinceReferenceDate: 31_536_000 + Double(count) * 4 * 86_400)
        }
    }

    /// Runs a test with its own days and clears them afterwards.
    static func with(_ body: (TestDays) async throws -> Void) async throws {
        let store = HKHealthStore()
        try await store.requestAuthorization(
            toShare: writtenTypes, read: Set<HKObjectType>(writtenTypes))
        let days = TestDays(store: store, start: await Calendar.shared.next())
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
        let correlations: [HKSampleType] = [HKCorrelationType(.bloodPressure)]
        for type in correlations + Array(Self.writtenTypes) {
            _ = try await store.deleteObjects(of: type, predicate: ownSamples)
        }
    }
}
