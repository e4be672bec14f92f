internal import HealthEngine

/// `HKCategoryValueSleepAnalysis` raw values (Semantics §10.6).
private enum SleepStage: Double {
    case inBed = 0
    case awake = 2
    case core = 3
    case deep = 4
    case rem = 5
}

extension Simulation {
    /// Records a night longer than 90 minutes: time in bed by the phone, sleep stages by the Watch
    /// if it is worn all night.
    func recordSleep(_ plan: DayPlan, into builder: inout BatchBuilder) {
        let night = plan.night
        guard plan.day > 0, night.count > 5_400 else { return }
        var random = SeededGenerator(seed: person.seed, stream: .sleep, day: plan.day)
        let type = SimulatedType.sleepAnalysis.code
        let zone = builder.metadata(["HKTimeZone": .string(plan.zoneIdentifier)])
        if person.devices != .watch {
            let origin = builder.origin(origin(.phone, on: plan.day))
            let start = night.lowerBound - random.integer(0...840)
            builder.add(
                type, origin, start..<(night.upperBound + random.integer(-240...60)),
                value: SleepStage.inBed.rawValue, metadata: zone, delay: 60)
        }
        let isWorn = plan.worn.contains {
            $0.lowerBound <= night.lowerBound && night.upperBound <= $0.upperBound
        }
        guard isWorn else { return }
        let origin = builder.origin(origin(.watch, on: plan.day))
        for (stage, range) in stages(of: night, &random) {
            builder.add(
                type, origin, range, value: stage.rawValue, metadata: zone,
                delay: night.upperBound - range.upperBound + 300)
        }
    }

    /// Returns cycles of core, deep and REM sleep, some with time awake. Deep sleep decreases and
    /// REM sleep increases from cycle to cycle.
    private func stages(of night: Range<Int>, _ random: inout SeededGenerator)
        -> [(SleepStage, Range<Int>)]
    {
        var stages: [(SleepStage, Range<Int>)] = []
        // With less detail there are fewer and longer stages.
        let part = min(4, max(1, Int(clamping: 0.6 / detail)))
        var time = night.lowerBound
        func sleep(_ stage: SleepStage, _ minutes: Int) {
            let end = min(night.upperBound - 60, time + minutes * part * 60)
            if end > time { stages.append((stage, time..<end)) }
            time = max(time, end)
        }
        var cycle = 0
        while time < night.upperBound - 60 {
            sleep(.core, random.integer(14...38))
            if cycle < 3 { sleep(.deep, random.integer(10...32) - cycle * 6) }
            sleep(.core, random.integer(8...26))
            sleep(.rem, random.integer(6...14) + cycle * 6)
            if random.chance(0.5) { sleep(.awake, random.integer(1...7)) }
            cycle += 1
        }
        return stages
    }

    /// Records, at full detail, whether the person stood in each of ``standHours(_:)``: always in
    /// hours with steps, otherwise with a probability of 60 %.
    func recordStandHours(_ plan: DayPlan, into builder: inout BatchBuilder) {
        guard detail == 1 else { return }
        var random = SeededGenerator(seed: person.seed, stream: .standing, day: plan.day)
        let type = SimulatedType.appleStandHour.code
        let origin = builder.origin(origin(.watch, on: plan.day))
        for range in standHours(plan) {
            let stood =
                plan.steps(from: range.lowerBound, to: range.upperBound) > 0
                || random.chance(0.6)
            builder.add(type, origin, range, value: stood ? 0 : 1, delay: 60)
        }
    }

    /// Returns the hours of a day, counted from midnight, during all of which the Watch is worn and
    /// the person is awake.
    func standHours(_ plan: DayPlan) -> [Range<Int>] {
        (0..<24).map { (plan.midnight + $0 * 3600)..<(plan.midnight + ($0 + 1) * 3600) }
            .filter { hour in
                hour.lowerBound >= plan.hours.wake
                    && plan.worn.contains {
                        $0.lowerBound <= hour.lowerBound && hour.upperBound <= $0.upperBound
                    }
            }
    }
}
