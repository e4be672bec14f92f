internal import HealthEngine

extension Simulation {
    /// The Watch's heart-rate readings, spread over the time it is worn.
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
        for instant in WornInstants(plan.worn, count: readings) {
            let at = instant.at(random.unit())
            let cadence = plan.cadence(at: at)
            let asleep = at < plan.night.upperBound
            let base = asleep ? resting - 4 : resting + 12
            let effort = Double(cadence * cadence) / 320
            let rate = (base + effort + random.bell() * 4).rounded()
            builder.add(
                type, origin, at..<at, value: max(38, rate),
                metadata: contexts[cadence > 30 ? 2 : asleep ? 0 : 1],
                delay: syncDelay(.watch, at))
        }
    }

    /// The resting rate drifts slowly with the seasons and fitness.
    func restingHeartRate(_ day: Int) -> Double {
        let season = day % 365
        let slope = Double(season < 183 ? season : 365 - season) / 183
        return 61 - 4 * slope - Double(min(day, 3000)) / 1000
    }
}

/// Stretches of equal length that divide the time a Watch is worn.
struct WornInstants: Sequence, IteratorProtocol {
    struct Stretch {
        var range: Range<Int>
        /// The second at a fraction (0..<1) of the stretch.
        func at(_ fraction: Double) -> Int {
            range.lowerBound + Int(clamping: Double(range.count) * fraction)
        }
    }

    private let worn: [Range<Int>]
    private let count: Int
    private let total: Int
    private var index = 0
    private var interval = 0
    /// Worn seconds before the current interval.
    private var before = 0

    init(_ worn: [Range<Int>], count: Int) {
        self.worn = worn
        self.count = count
        total = worn.reduce(0) { $0 + $1.count }
    }

    mutating func next() -> Stretch? {
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
        return Stretch(range: start..<Swift.max(start, end))
    }
}
