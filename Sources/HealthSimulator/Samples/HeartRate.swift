internal import HealthEngine

extension Simulation {
    /// Records the Watch's heart rate, distributed over the time for which it is worn.
    func recordHeartRate(_ plan: DayPlan, into builder: inout BatchBuilder) {
        let readings = quotas.part(quotas.heartRate, on: plan.day)
        guard readings > 0 else { return }
        var random = SeededGenerator(seed: person.seed, stream: .heartRate, day: plan.day)
        let type = SimulatedType.heartRate.code
        let origin = builder.origin(origin(.watch, unit: "count/min", on: plan.day))
        let contexts = (0...2).map { context in
            builder.metadata(["HKMetadataKeyHeartRateMotionContext": .number(Double(context))])
        }
        let resting = restingHeartRate(plan.day)
        for instant in WornIntervals(plan.worn, count: readings) {
            let at = instant.at(random.unit())
            let cadence = plan.cadence(at: at)
            let asleep = at < plan.night.upperBound
            let base = asleep ? resting - 4 : resting + 12
            let effort = Double(cadence * cadence) / 320
            let rate = (base + effort + random.normal() * 4).rounded()
            builder.add(
                type, origin, at..<at, value: max(38, rate),
                metadata: contexts[cadence > 30 ? 2 : asleep ? 0 : 1],
                delay: syncDelay(.watch, at))
        }
    }

    /// Returns the resting heart rate in beats a minute. It changes slowly with the season and
    /// decreases over the first eight years.
    func restingHeartRate(_ day: Int) -> Double {
        let season = day % 365
        let slope = Double(season < 183 ? season : 365 - season) / 183
        return 61 - 4 * slope - Double(min(day, 3000)) / 1000
    }
}

/// A sequence of intervals that divide the time for which a Watch is worn into parts of equal
/// length. A part that continues after a break is cut off at the break.
struct WornIntervals: Sequence, IteratorProtocol {
    /// One of the intervals, in reference seconds.
    struct WornPart {
        var range: Range<Int>
        /// Returns the time at a fraction (0..<1) of the interval, in whole seconds.
        func at(_ fraction: Double) -> Int {
            range.lowerBound + Int(clamping: Double(range.count) * fraction)
        }
    }

    private let worn: [Range<Int>]
    private let count: Int
    private let total: Int
    private var index = 0
    private var interval = 0
    /// The worn time before `worn[interval]`, in seconds.
    private var before = 0

    init(_ worn: [Range<Int>], count: Int) {
        self.worn = worn
        self.count = count
        total = worn.reduce(0) { $0 + $1.count }
    }

    mutating func next() -> WornPart? {
        guard index < count, total > 0 else { return nil }
        let from = total * index / count
        let to = total * (index + 1) / count
        index += 1
        while interval < worn.count - 1, from - before >= worn[interval].count {
            before += worn[interval].count
            interval += 1
        }
        let start = worn[interval].lowerBound + from - before
        let end = Swift.min(start + to - from, worn[interval].upperBound)
        return WornPart(range: start..<Swift.max(start, end))
    }
}

extension Simulation {
    /// Records the Watch's active energy in kilocalories, in adjacent intervals over the time for
    /// which it is worn.
    func recordActiveEnergy(_ plan: DayPlan, into builder: inout BatchBuilder) {
        record(activeEnergy(of: plan), .activeEnergyBurned, plan, &builder)
    }

    /// Returns the Watch's active energy of a day, whose sum is that of the Move ring.
    func activeEnergy(of plan: DayPlan) -> [EnergyPart] {
        energy(of: plan, quotas.part(quotas.activeEnergy, on: plan.day)) {
            activeEnergy(plan, from: $0.lowerBound, to: $0.upperBound)
        }
    }

    /// Records the Watch's basal energy, about 1,700 kilocalories for 24 hours, over the time for
    /// which it is worn.
    func recordBasalEnergy(_ plan: DayPlan, into builder: inout BatchBuilder) {
        let parts = energy(of: plan, quotas.part(quotas.basalEnergy, on: plan.day)) {
            Double($0.count) * 1_700 / 86_400
        }
        record(parts, .basalEnergyBurned, plan, &builder)
    }

    /// Returns the active energy in kilocalories: 0.042 for each step, and 0.0016 for each second
    /// after waking up.
    func activeEnergy(_ plan: DayPlan, from start: Int, to end: Int) -> Double {
        let awake = max(0, end - max(start, plan.hours.wake))
        return Double(plan.steps(from: start, to: end)) * 0.042 + Double(awake) * 0.0016
    }

    private func energy(
        of plan: DayPlan, _ count: Int, _ energy: (Range<Int>) -> Double
    ) -> [EnergyPart] {
        guard count > 0 else { return [] }
        var random = SeededGenerator(seed: person.seed, stream: .energy, day: plan.day)
        return WornIntervals(plan.worn, count: count).map { part in
            let value = energy(part.range) * (1 + 0.03 * random.normal())
            return EnergyPart(range: part.range, value: value.rounded(to: 1000))
        }
    }

    private func record(
        _ parts: [EnergyPart], _ type: SimulatedType, _ plan: DayPlan,
        _ builder: inout BatchBuilder
    ) {
        guard !parts.isEmpty else { return }
        let origin = builder.origin(origin(.watch, unit: "Cal", on: plan.day))
        for part in parts {
            builder.add(
                type.code, origin, part.range, value: part.value,
                delay: syncDelay(.watch, part.range.upperBound))
        }
    }
}

/// The energy of an interval in kilocalories.
struct EnergyPart {
    var range: Range<Int>
    var value: Double
}
