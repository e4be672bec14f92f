internal import HealthEngine

extension Simulation {
    /// Active energy from the Watch: intervals side by side over the time it is worn.
    func recordActiveEnergy(_ plan: DayPlan, into builder: inout BatchBuilder) {
        recordEnergy(
            plan, .activeEnergyBurned, quotas.part(quotas.activeEnergy, on: plan.day), &builder
        ) { self.activeEnergy(plan, from: $0.lowerBound, to: $0.upperBound) }
    }

    /// Basal energy from the Watch, near 1,700 kilocalories a day.
    func recordBasalEnergy(_ plan: DayPlan, into builder: inout BatchBuilder) {
        recordEnergy(
            plan, .basalEnergyBurned, quotas.part(quotas.basalEnergy, on: plan.day), &builder
        ) { Double($0.count) * 1_700 / 86_400 }
    }

    /// Kilocalories beyond rest: 0.042 a step, more at a run, and a little for being awake.
    func activeEnergy(_ plan: DayPlan, from start: Int, to end: Int) -> Double {
        let awake = max(0, end - max(start, plan.hours.wake))
        return Double(plan.steps(from: start, to: end)) * 0.042 + Double(awake) * 0.0016
    }

    private func recordEnergy(
        _ plan: DayPlan, _ type: SimulatedType, _ count: Int, _ builder: inout BatchBuilder,
        energy: (Range<Int>) -> Double
    ) {
        guard count > 0 else { return }
        var random = SeededGenerator(seed: person.seed, stream: .energy, day: plan.day)
        let code = type.code
        let origin = builder.origin(origin(.watch, unit: "Cal", on: plan.day))
        for stretch in WornInstants(plan.worn, count: count) {
            let value = energy(stretch.range) * (1 + 0.03 * random.bell())
            builder.add(
                code, origin, stretch.range, value: value.rounded(to: 1000),
                delay: syncDelay(.watch, stretch.range.upperBound))
        }
    }
}
