internal import HealthEngine

extension Simulation {
    /// Records body mass about twice a week, from a scale and occasionally by hand: in kilograms on
    /// the first 40 % of the days, then in pounds.
    func recordBodyMass(_ plan: DayPlan, into builder: inout BatchBuilder) {
        var random = SeededGenerator(seed: person.seed, stream: .weight, day: plan.day)
        guard random.chance(0.28) else { return }
        let years = Double(plan.day) / 365
        let kilograms = 81.5 - 0.4 * years + 0.5 * random.normal()
        let byHand = random.chance(0.08)
        let metric = plan.day * 5 < calendar.count * 2
        let origin = builder.origin(
            origin(byHand ? .healthApp : .scale, unit: metric ? "kg" : "lb", on: plan.day))
        let at = plan.hours.wake + random.integer(400...1_500)
        builder.add(
            SimulatedType.bodyMass.code, origin, at..<at,
            value: (metric ? kilograms : kilograms / 0.453_592_37).rounded(to: 10),
            metadata: byHand ? builder.metadata(["HKWasUserEntered": .number(1)]) : -1, delay: 3)
    }

    /// Records blood pressure: two quantities and the correlation that contains them.
    ///
    /// Samples are ordered by type, so the members of a reading aren't adjacent. They are collected
    /// by the number of the reading.
    func recordBloodPressure(_ days: Range<Int>, into builder: inout BatchBuilder) {
        var readings: [BloodPressureReading] = []
        for day in days {
            var random = SeededGenerator(seed: person.seed, stream: .cuff, day: day)
            guard random.chance(0.35) else { continue }
            let diastolic = Int(clamping: (78 + 6 * random.normal()).rounded())
            readings.append(
                BloodPressureReading(
                    day: day, instant: wakingHours(day).wake + random.integer(1_600...3_000),
                    systolic: diastolic + random.integer(36...52), diastolic: diastolic))
        }
        var members: [[Int]] = Array(repeating: [], count: readings.count)
        for type in [SimulatedType.bloodPressureSystolic, .bloodPressureDiastolic] {
            for (number, reading) in readings.enumerated() {
                let value = type == .bloodPressureSystolic ? reading.systolic : reading.diastolic
                let index = builder.add(
                    type.code, builder.origin(origin(.cuff, unit: "mmHg", on: reading.day)),
                    reading.instant..<reading.instant, value: Double(value), delay: 2)
                members[number].append(index)
            }
        }
        for (number, reading) in readings.enumerated() {
            let correlation = builder.add(
                SimulatedType.bloodPressure.code,
                builder.origin(origin(.cuff, on: reading.day)), reading.instant..<reading.instant,
                delay: 2)
            builder.join(members[number], to: correlation)
        }
    }

    private struct BloodPressureReading {
        var day: Int
        var instant: Int
        var systolic: Int
        var diastolic: Int
    }

    /// Records lunches on some days: energy and protein in a food correlation.
    func recordFood(_ days: Range<Int>, into builder: inout BatchBuilder) {
        let dishes = ["Lentil soup", "Rice & beans", "Omelette", "Sandwich <whole grain>", "Crêpe"]
        for day in days {
            var random = SeededGenerator(seed: person.seed, stream: .meals, day: day)
            guard random.chance(0.15) else { continue }
            let at = wakingHours(day).wake + random.integer(18_000...22_000)
            let dish = builder.metadata(["HKFoodType": .string(dishes[random.integer(0...4)])])
            let energy = builder.add(
                SimulatedType.dietaryEnergyConsumed.code,
                builder.origin(origin(.mealApp, unit: "Cal", on: day)), at..<at,
                value: Double(random.integer(28...78) * 10), metadata: dish, delay: 5)
            let protein = builder.add(
                SimulatedType.dietaryProtein.code,
                builder.origin(origin(.mealApp, unit: "g", on: day)), at..<at,
                value: Double(random.integer(80...420)) / 10, metadata: dish, delay: 5)
            let food = builder.add(
                SimulatedType.food.code, builder.origin(origin(.mealApp, on: day)), at..<at,
                metadata: dish, delay: 5)
            builder.join([energy, protein], to: food)
        }
    }

    /// Records the activity summary (rings) of a day on which the person has a Watch, worn or not.
    func recordRings(_ plan: DayPlan, into builder: inout BatchBuilder) {
        guard person.devices != .phone, plan.day >= watchSince else { return }
        var summary = ActivitySummary(date: plan.date.description)
        let energy = activeEnergy(of: plan).reduce(0) { $0 + $1.value }
        summary.activeEnergyBurned = energy.rounded(to: 1000)
        summary.activeEnergyBurnedGoal = plan.day * 2 < calendar.count ? 480 : 550
        summary.activeEnergyBurnedUnit = "Cal"
        summary.appleMoveTime = 0
        summary.appleMoveTimeGoal = 0
        let brisk = plan.walks.reduce(0) { $0 + $1.cadence.count { $0 > 100 } }
        summary.appleExerciseTime = Double(plan.worn.isEmpty ? 0 : brisk)
        summary.appleExerciseTimeGoal = 30
        summary.appleStandHours = Double(
            standHours(plan).count { plan.steps(from: $0.lowerBound, to: $0.upperBound) > 0 })
        summary.appleStandHoursGoal = 12
        builder.add(
            SimulatedType.activitySummary.code, builder.origin(origin(.watch, on: plan.day)),
            plan.midnight..<calendar.midnight(plan.day + 1), delay: 0,
            detail: .activitySummary(summary))
    }
}
