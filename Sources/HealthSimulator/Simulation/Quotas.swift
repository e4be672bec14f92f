import HealthEngine

/// How many samples fill up an export to the number of records that was asked for.
struct Quotas: Sendable {
    var heartRate = 0
    var activeEnergy = 0
    var basalEnergy = 0
    var audio = 0
    /// Records of everything else.
    private(set) var fixed = 0
    /// Seconds the Watch is worn before each day; one more entry than days.
    var wornBefore: [Int] = []

    init() {}

    /// Counts what the person's days hold anyway and shares out the rest.
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
        let rest = max(0, draft.person.records - fixed)
        guard worn > 0 else {
            audio = rest
            return
        }
        activeEnergy = rest / 5
        basalEnergy = rest / 7
        heartRate = rest - activeEnergy - basalEnergy
    }

    /// The part of a quota that falls on a day, by the time the Watch is worn; the parts of all
    /// days add up to the quota.
    func part(_ quota: Int, on day: Int) -> Int {
        guard let worn = wornBefore.last, worn > 0, day + 1 < wornBefore.count else { return 0 }
        func before(_ day: Int) -> Int {
            let (high, low) = quota.multipliedFullWidth(by: wornBefore[day])
            return worn.dividingFullWidth((high, low)).quotient
        }
        return before(day + 1) - before(day)
    }

    /// The part of a quota that falls on one of `days` equal days.
    static func evenPart(_ quota: Int, on day: Int, of days: Int) -> Int {
        quota * (day + 1) / days - quota * day / days
    }
}

extension SampleBatch {
    /// Record elements this batch makes in an export: its quantity and category samples, and those
    /// that belong to a correlation once more.
    var recordElements: Int {
        let others = details.values.count {
            switch $0 {
            case .workout, .activitySummary: true
            case .heartbeats, .series, .route, .numbers: false
            }
        }
        return samples.count - others - Set(parents.values).count + parents.count
    }
}
