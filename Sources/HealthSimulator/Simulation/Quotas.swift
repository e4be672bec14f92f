import HealthEngine

/// The number of samples of each of the types that fill an export up to the requested number of
/// records: heart rate and energy; without a Watch, audio exposure.
struct Quotas: Sendable {
    var heartRate = 0
    var activeEnergy = 0
    var basalEnergy = 0
    var audio = 0
    /// The number of records of all other types.
    private(set) var fixed = 0
    /// The total time in seconds for which the Watch is worn before each day. There is one more
    /// entry than days.
    var wornBefore: [Int] = []

    init() {}

    /// Counts the records of all other types and distributes the remainder over these types.
    init(fillingUp draft: Simulation) {
        var worn = 0
        wornBefore = [0]
        wornBefore.reserveCapacity(draft.calendar.count + 1)
        for day in 0..<draft.calendar.count {
            let plan = draft.plan(day)
            worn += plan.wornSeconds
            wornBefore.append(worn)
        }
        for batch in draft.batches { fixed += batch.recordElements }
        let remainingRecords = max(0, draft.person.records - fixed)
        guard worn > 0 else {
            audio = remainingRecords
            return
        }
        activeEnergy = remainingRecords / 5
        basalEnergy = remainingRecords / 7
        heartRate = remainingRecords - activeEnergy - basalEnergy
    }

    /// Returns the part of a quota for a day, in proportion to the time for which the Watch is
    /// worn. The parts of all days add up to the quota.
    func part(_ quota: Int, on day: Int) -> Int {
        guard let worn = wornBefore.last, worn > 0, day + 1 < wornBefore.count else { return 0 }
        func before(_ day: Int) -> Int {
            let (high, low) = quota.multipliedFullWidth(by: wornBefore[day])
            return worn.dividingFullWidth((high, low)).quotient
        }
        return before(day + 1) - before(day)
    }

    /// Returns the part of a quota for one of `days` days with equal parts, up to rounding.
    static func evenPart(_ quota: Int, on day: Int, of days: Int) -> Int {
        quota * (day + 1) / days - quota * day / days
    }
}

extension SampleBatch {
    /// The number of record elements of this batch in an export: its quantity and category samples,
    /// with members of correlations counted twice.
    var recordElements: Int {
        let others = details.values.count {
            switch $0 {
            case .workout, .activitySummary, .audiogram, .visionPrescription: true
            case .heartbeats, .series, .route, .numbers, .medicationDose: false
            case .clinicalRecord, .document, .verifiableClinicalRecord: false
            }
        }
        return samples.count - others - Set(parents.values).count + parents.count
    }
}
