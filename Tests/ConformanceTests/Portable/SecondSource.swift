/// The samples of the second source, which the app `SecondSource` saves before the tests run. They
/// are the same in each run, so that the experiments know them.
enum SecondSource {
    /// The end of the app's bundle identifier, by which the experiments recognize its samples.
    static let identifierSuffix = ".SecondSource"

    static let types: Set<HKSampleType> = [
        HKQuantityType(.stepCount), HKQuantityType(.bloodGlucose),
    ]

    /// 2003-12-01T00:00Z, the first of the days that both sources use.
    static let firstDay = TestDays.firstDay + 699 * 86_400

    /// The experiments with two sources. Each has four days, as every test.
    enum Experiment: Int, CaseIterable {
        case overlap
        case gap
        case instants
        case glucose

        /// Midnight UTC of the second of the experiment's days.
        var start: Date { firstDay + Double(1 + rawValue * 4) * 86_400 }

        func at(_ hour: Int, _ minute: Int = 0) -> Date {
            start + Double(hour * 3600 + minute * 60)
        }
    }

    /// Returns new samples of the second source.
    static func samples() -> [HKQuantitySample] {
        let (overlap, gap) = (Experiment.overlap, Experiment.gap)
        let (instants, glucose) = (Experiment.instants, Experiment.glucose)
        return [
            steps(100, overlap.at(10, 5), overlap.at(10, 15)),
            steps(30, gap.at(10, 5), gap.at(10, 10)),
            steps(7, instants.at(10, 5), instants.at(10, 5)),
            steps(7, instants.at(12, 10), instants.at(12, 10)),
            quantity(
                .bloodGlucose, 200, .milligramsPerDeciliter, glucose.at(10, 5), glucose.at(10, 5)),
        ] + [gap, instants].map { steps(20, $0.at(20), $0.at(20, 10)) }
    }

    /// Replaces the second source's samples. Called by the app that is the second source.
    static func save(to store: HKHealthStore) async throws {
        try await remove(from: store)
        try await store.save(samples())
    }

    /// Deletes the second source's samples. Called by the app that is the second source.
    static func remove(from store: HKHealthStore) async throws {
        try await store.requestAuthorization(toShare: types, read: Set<HKObjectType>(types))
        let december = HKQuery.predicateForSamples(
            withStart: firstDay, end: firstDay + 31 * 86_400, options: .strictStartDate)
        let own = NSCompoundPredicate(andPredicateWithSubpredicates: [
            december, HKQuery.predicateForObjects(from: .default()),
        ])
        for type in types { _ = try await store.deleteObjects(of: type, predicate: own) }
    }
}

extension HKUnit {
    static var milligramsPerDeciliter: HKUnit {
        .gramUnit(with: .milli).unitDivided(by: .literUnit(with: .deci))
    }
}
