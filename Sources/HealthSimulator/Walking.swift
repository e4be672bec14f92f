internal import HealthEngine

extension Simulation {
    /// Distance in miles from both devices, over the same intervals as their steps.
    func recordDistance(_ plan: DayPlan, into builder: inout BatchBuilder) {
        let type = SimulatedType.distanceWalkingRunning.code
        for recorder in [Recorder.watch, .phone] {
            var random = SeededGenerator(
                seed: person.seed &+ UInt64(recorder.rawValue), stream: .distance, day: plan.day)
            let counted = counts(plan, by: recorder)
            if counted.isEmpty { continue }
            let origin = builder.origin(origin(recorder, unit: "mi", on: plan.day))
            for piece in counted where random.chance(detail) {
                // Strides lengthen with cadence.
                let cadence = Double(piece.steps * 60) / Double(max(1, piece.range.count))
                let stride = 0.52 + 0.0028 * cadence
                let miles = Double(piece.steps) * stride / 1609.344 * (1 + 0.02 * random.bell())
                builder.add(
                    type, origin, piece.range, value: miles.rounded(to: 100_000),
                    delay: syncDelay(recorder, piece.range.lowerBound))
            }
        }
    }

    /// Flights of stairs, on some of the walks, from the device that came along.
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
