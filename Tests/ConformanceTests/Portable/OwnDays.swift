/// Days in 2002 and after that belong to one test, far from anything a phone recorded.
///
/// Every test of the portable suite writes into its own, and they are emptied before and after it.
struct OwnDays: Sendable {
    let store: HKHealthStore
    /// Midnight UTC of the day in the middle; the day before and the two after are the test's too.
    let start: Date

    func at(_ hour: Int, _ minute: Int = 0, _ second: Double = 0) -> Date {
        start.addingTimeInterval(Double(hour * 3600 + minute * 60) + second)
    }

    /// Everything of this app in the test's days.
    var mine: NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForSamples(
                withStart: start.addingTimeInterval(-86_400),
                end: start.addingTimeInterval(3 * 86_400), options: .strictStartDate),
            HKQuery.predicateForObjects(from: .default()),
        ])
    }

    /// What the suite asks leave for, all at once, so that a phone shows one sheet.
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
        ])

    /// Hands out the days: four a test, in the order in which tests ask.
    private actor Calendar {
        static let shared = Calendar()
        private var given = 0

        func next() -> Date {
            given += 1
            // 2002-01-01T00:00Z, and the test's second day of four.
            return Date(timeIntervalSinceReferenceDate: 31_536_000 + Double(given) * 4 * 86_400)
        }
    }

    /// Runs a test in days of its own and leaves nothing behind.
    static func with(_ body: (OwnDays) async throws -> Void) async throws {
        let store = HKHealthStore()
        try await store.requestAuthorization(
            toShare: writtenTypes, read: Set<HKObjectType>(writtenTypes))
        let days = OwnDays(store: store, start: await Calendar.shared.next())
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
            _ = try await store.deleteObjects(of: type, predicate: mine)
        }
    }
}
