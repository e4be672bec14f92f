internal import HealthEngine

/// An interval of a walk and the steps that one device counts in it.
struct CountedSteps {
    var range: Range<Int>
    var steps: Int
}

extension Simulation {
    /// Records the steps of a day, source by source.
    func recordSteps(_ plan: DayPlan, into builder: inout BatchBuilder) {
        let type = SimulatedType.stepCount.code
        for recorder in [Recorder.watch, .phone] {
            let counted = counts(plan, by: recorder)
            if counted.isEmpty { continue }
            let origin = builder.origin(origin(recorder, unit: "count", on: plan.day))
            for piece in counted {
                builder.add(
                    type, origin, piece.range, value: Double(piece.steps),
                    delay: syncDelay(recorder, piece.range.lowerBound))
            }
        }
        copySteps(plan, into: &builder)
        if person.dailyApp == .present { recordDayTotal(plan, into: &builder) }
    }

    /// Returns the intervals and steps that the Watch or the iPhone records. Each number has a
    /// random error with a standard deviation of 2 %, and all numbers of a day a common one of 0.6
    /// %.
    func counts(_ plan: DayPlan, by recorder: Recorder) -> [CountedSteps] {
        let isWatch = recorder == .watch
        guard person.devices != (isWatch ? .phone : .watch) else { return [] }
        var random = SeededGenerator(
            seed: person.seed, stream: isWatch ? .watchSteps : .phoneSteps, day: plan.day)
        let scale = 1 + 0.006 * random.normal()
        let coarseness = max(1, Int(clamping: 1 / detail))
        let length = ((isWatch ? 130 : 240) * coarseness)...((isWatch ? 520 : 880) * coarseness)
        var counted: [CountedSteps] = []
        for walk in plan.walks {
            if !isWatch {
                guard walk.phone else { continue }
                count(walk, walk.start..<walk.end, length, scale, &random, &counted)
                continue
            }
            for worn in plan.worn {
                let seen = worn.clamped(to: walk.start..<walk.end)
                // The Watch doesn't record a part of a walk that lasts at most ten seconds, such as
                // the seconds before it is taken off.
                guard seen.count > 10 else { continue }
                count(walk, seen, length, scale, &random, &counted)
            }
        }
        return counted
    }

    private func count(
        _ walk: Walk, _ seen: Range<Int>, _ length: ClosedRange<Int>, _ scale: Double,
        _ random: inout SeededGenerator, _ counted: inout [CountedSteps]
    ) {
        let early = random.integer(0...3)
        let late = random.integer(0...3)
        var start = seen.lowerBound
        while start < seen.upperBound {
            var end = start + random.integer(length)
            if seen.upperBound - end < 60 { end = seen.upperBound }
            let walked = walk.steps(in: start..<end)
            let steps = Int(clamping: (walked * scale * (1 + 0.02 * random.normal())).rounded())
            if steps > 0 {
                let from = start == seen.lowerBound ? start + early : start
                counted.append(
                    CountedSteps(
                        range: from..<(end == seen.upperBound ? end + late : end), steps: steps))
            }
            start = end
        }
    }

    /// Records 40 % of the walks outside the house, each as one sample of an app that counts steps
    /// itself.
    private func copySteps(_ plan: DayPlan, into builder: inout BatchBuilder) {
        var random = SeededGenerator(seed: person.seed, stream: .appSteps, day: plan.day)
        let type = SimulatedType.stepCount.code
        var origin: Int32 = -1
        for walk in plan.walks where walk.kind != .household {
            guard random.chance(0.4) else { continue }
            if origin < 0 {
                origin = builder.origin(self.origin(.walkApp, unit: "count", on: plan.day))
            }
            let begin = walk.start + random.integer(-6...20)
            let steps = walk.steps(in: walk.start..<walk.end) * (1 + 0.03 * random.normal())
            builder.add(
                type, origin, begin..<(walk.end + random.integer(-20...6)), value: steps.rounded(),
                delay: 40)
        }
    }

    /// Records the day total of an app, from midnight to midnight, on 90 % of the days. On 4 % of
    /// these the number is far too small, as if it had been written early in the day.
    private func recordDayTotal(_ plan: DayPlan, into builder: inout BatchBuilder) {
        var random = SeededGenerator(seed: person.seed, stream: .dayTotals, day: plan.day)
        guard random.chance(0.9) else { return }
        let walked = plan.walks.reduce(0) { $0 + $1.cadence.reduce(0, +) }
        let share = random.chance(0.04) ? random.real(0.2...0.8) : 1 + 0.05 * random.normal()
        let end = calendar.midnight(plan.day + 1)
        builder.add(
            SimulatedType.stepCount.code,
            builder.origin(origin(.dailyApp, unit: "count", on: plan.day)), plan.midnight..<end,
            value: (Double(walked) * share).rounded(), delay: 120)
    }

    /// Returns the seconds until a sample reaches the phone's store. Samples of the Watch arrive
    /// later than those of the phone, and one in 97 takes 11 hours.
    func syncDelay(_ recorder: Recorder, _ instant: Int) -> Int {
        guard recorder == .watch else { return 4 + instant % 9 }
        return instant % 97 == 0 ? 39_600 : 30 + instant % 240
    }
}

extension Simulation {
    /// Records the distance in miles by both devices, in the same intervals as their steps; with
    /// less detail, in some of them.
    func recordDistance(_ plan: DayPlan, into builder: inout BatchBuilder) {
        let type = SimulatedType.distanceWalkingRunning.code
        for recorder in [Recorder.watch, .phone] {
            var random = SeededGenerator(
                seed: person.seed &+ UInt64(recorder.rawValue), stream: .distance, day: plan.day)
            let counted = counts(plan, by: recorder)
            if counted.isEmpty { continue }
            let origin = builder.origin(origin(recorder, unit: "mi", on: plan.day))
            for piece in counted where random.chance(detail) {
                // The stride length increases with the cadence.
                let cadence = Double(piece.steps * 60) / Double(max(1, piece.range.count))
                let stride = 0.52 + 0.0028 * cadence
                let miles = Double(piece.steps) * stride / 1609.344 * (1 + 0.02 * random.normal())
                builder.add(
                    type, origin, piece.range, value: miles.rounded(to: 100_000),
                    delay: syncDelay(recorder, piece.range.lowerBound))
            }
        }
    }

    /// Records flights of stairs by both devices, in at most 12 % of the intervals of their steps.
    /// The devices don't agree on the intervals.
    func recordFlights(_ plan: DayPlan, into builder: inout BatchBuilder) {
        var random = SeededGenerator(seed: person.seed, stream: .flights, day: plan.day)
        let type = SimulatedType.flightsClimbed.code
        for recorder in [Recorder.watch, .phone] {
            let counted = counts(plan, by: recorder)
            var origin: Int32 = -1
            for piece in counted where random.chance(0.12 * detail) {
                if origin < 0 {
                    origin = builder.origin(self.origin(recorder, unit: "count", on: plan.day))
                }
                builder.add(
                    type, origin, piece.range, value: Double(random.integer(1...3)),
                    delay: syncDelay(recorder, piece.range.lowerBound))
            }
        }
    }
}
