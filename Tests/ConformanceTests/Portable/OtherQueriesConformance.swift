import Testing

/// §3.8 and §10: sources, correlations, series, workouts, sleep.
@Suite(.reported) struct OtherQueriesConformance {
    @Test(
        "§10.2 a source query returns the sources of matching samples",
        .covers(
            "HKSourceQuery",
            "HKSourceQuery.init(sampleType:samplePredicate:completionHandler:)"))
    func sources() async throws {
        try await TestDays.with { days in
            let type = HKQuantityType(.bodyMass)
            #expect(try await days.store.sources(of: type, days.ownSamples).isEmpty)
            try await days.store.save(weight(70, days.at(1)))
            #expect(try await days.store.sources(of: type, days.ownSamples) == [.default()])
            let descriptor = HKSourceQueryDescriptor(
                predicate: .quantitySample(type: type, predicate: days.ownSamples))
            #expect(try await descriptor.result(for: days.store) == [.default()])
        }
    }

    @Test(
        "§10.3 a correlation matches by its own attributes and by those of its members",
        .covers("HKCorrelationQuery", "HKCorrelation.objects(for:)", "HKCorrelation.objects"))
    func correlations() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                bloodPressure(118, 76, days.at(8)), bloodPressure(141, 92, days.at(9)),
            ])
            let type = HKCorrelationType(.bloodPressure)
            #expect(try await days.store.correlations(type, days.ownSamples).count == 2)
            let systolic = HKQuantityType(.bloodPressureSystolic)
            let high = HKQuery.predicateForQuantitySamples(
                with: .greaterThan,
                quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 140))
            let found = try await days.store.correlations(
                type, days.ownSamples, members: [systolic: high])
            #expect(found.map(\.startDate) == [days.at(9)])
            #expect(found.first?.objects.count == 2)
            #expect(
                found.first?.objects(for: systolic).map { $0.number(.millimeterOfMercury()) }
                    == [141])
        }
    }

    @Test(
        "§10.3 members of a correlation are found by their own type, each once",
        .covers("HKCorrelation", "HKStatistics.averageQuantity()"))
    func members() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                bloodPressure(110, 70, days.at(8)), bloodPressure(130, 80, days.at(9)),
            ])
            let systolic = HKQuantityType(.bloodPressureSystolic)
            #expect(try await days.store.samples(systolic, days.ownSamples).count == 2)
            let statistics = try await days.store.statistics(
                systolic, days.ownSamples, .discreteAverage)
            #expect(
                statistics.averageQuantity()?.doubleValue(for: .millimeterOfMercury()) == 120)
        }
    }

    @Test(
        "§3.8 statistics include every quantity of a series, not its summary",
        .covers("HKQuantitySeriesSampleBuilder", "HKQuantitySample.count"))
    func seriesStatistics() async throws {
        try await TestDays.with { days in
            let samples = try await saveSeries(days)
            #expect(samples.map(\.count) == [3])
            let statistics = try await days.store.statistics(
                HKQuantityType(.runningPower), days.ownSamples, [.discreteMax, .discreteAverage])
            measured("maximum", statistics.maximumQuantity()?.doubleValue(for: .watt()))
            measured("average", statistics.averageQuantity()?.doubleValue(for: .watt()))
            #expect(statistics.maximumQuantity()?.doubleValue(for: .watt()) == 600)
            #expect(statistics.averageQuantity()?.doubleValue(for: .watt()) == 300)
        }
    }

    @Test(
        "§10.5 a series query enumerates every backing quantity in order",
        .covers("HKQuantitySeriesSampleQueryDescriptor"))
    func seriesQuery() async throws {
        try await TestDays.with { days in
            _ = try await saveSeries(days)
            let descriptor = HKQuantitySeriesSampleQueryDescriptor(
                predicate: .quantitySample(
                    type: HKQuantityType(.runningPower), predicate: days.ownSamples))
            var actual: [Double] = []
            for try await result in descriptor.results(for: days.store) {
                actual.append(result.quantity.doubleValue(for: .watt()))
            }
            measured("quantities", Double(actual.count))
            #expect(actual == [100, 200, 600])
        }
    }

    @Test(
        "§10.5 a heartbeat series returns its beats with their gaps, and ends at the last one",
        .covers(
            "HKHeartbeatSeriesBuilder", "HKHeartbeatSeriesSample",
            "HKHeartbeatSeriesQueryDescriptor"))
    func heartbeats() async throws {
        try await TestDays.with { days in
            let builder = HKHeartbeatSeriesBuilder(
                healthStore: days.store, device: nil, start: days.at(10))
            for (time, isAfterGap) in [(0.75, false), (1.5, false), (4, true), (4.75, false)] {
                try await builder.addHeartbeat(at: time, precededByGap: isAfterGap)
            }
            try await builder.addMetadata(["a": "b"])
            let saved = try await builder.finishSeries()
            #expect(saved.count == 4)
            #expect(saved.startDate == days.at(10))
            let found = try await days.store.samples(HKSeriesType.heartbeat(), days.ownSamples)
            #expect(found.map(\.uuid) == [saved.uuid])
            #expect(found.first?.metadata?["a"] as? String == "b")
            let series = try #require(found.first as? HKHeartbeatSeriesSample)
            var beats: [String] = []
            let query = HKHeartbeatSeriesQueryDescriptor(series)
            for try await beat in query.results(for: days.store) {
                beats.append("\(beat.timeIntervalSinceStart)\(beat.precededByGap ? " gap" : "")")
            }
            #expect(beats == ["0.75", "1.5", "4.0 gap", "4.75"])
            await #expect(throws: (any Error).self) {
                try await builder.addHeartbeat(at: 5, precededByGap: false)
            }
        }
    }

    private func saveSeries(_ days: TestDays) async throws -> [HKQuantitySample] {
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: days.store, quantityType: HKQuantityType(.runningPower),
            startDate: days.at(10), device: nil)
        for (minute, watts) in [(0, 100.0), (1, 200), (30, 600)] {
            try builder.insert(
                HKQuantity(unit: .watt(), doubleValue: watts), at: days.at(10, minute))
        }
        return try await builder.finishSeries(metadata: nil, endDate: days.at(11))
    }

    @Test(
        "§10.6 the values of sleep analysis equal Apple's",
        .covers("HKCategoryValueSleepAnalysis", "HKCategorySample.value"))
    func sleepValues() async throws {
        let values: [HKCategoryValueSleepAnalysis] = [
            .inBed, .asleepUnspecified, .awake, .asleepCore, .asleepDeep, .asleepREM,
        ]
        #expect(values.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        try await TestDays.with { days in
            try await days.store.save([
                sleep(.inBed, days.at(1), days.at(3)), sleep(.asleepREM, days.at(1), days.at(2)),
            ])
            let found = try await days.store.samples(
                HKCategoryType(.sleepAnalysis), days.ownSamples)
            #expect(found.compactMap { ($0 as? HKCategorySample)?.value }.sorted() == [0, 5])
        }
    }

    @Test(
        "§10.8 a builder's workout excludes pauses and has the statistics of its samples",
        .covers(
            "HKWorkoutBuilder", "HKWorkout.duration", "HKWorkout.statistics(for:)",
            "HKQuery.predicateForObjects(from:)"))
    func workout() async throws {
        try await TestDays.with { days in
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = .running
            let builder = HKWorkoutBuilder(
                healthStore: days.store, configuration: configuration, device: nil)
            try await builder.beginCollection(at: days.at(10))
            let energy = quantity(
                .activeEnergyBurned, 300, .kilocalorie(), days.at(10, 1), days.at(10, 40))
            try await builder.addSamples([energy])
            try await builder.addWorkoutEvents([
                HKWorkoutEvent(
                    type: .pause, dateInterval: DateInterval(start: days.at(10, 20), duration: 0),
                    metadata: nil),
                HKWorkoutEvent(
                    type: .resume, dateInterval: DateInterval(start: days.at(10, 30), duration: 0),
                    metadata: nil),
            ])
            try await builder.endCollection(at: days.at(11))
            let workout = try #require(try await builder.finishWorkout())
            #expect(workout.duration == 50 * 60)
            #expect(workout.workoutActivityType == .running)
            #expect(
                workout.statistics(for: HKQuantityType(.activeEnergyBurned))?
                    .sum(.kilocalorie()) == 300)
            #expect(workout.statistics(for: HKQuantityType(.stepCount)) == nil)
            let associated = try await days.store.samples(
                HKQuantityType(.activeEnergyBurned), HKQuery.predicateForObjects(from: workout))
            #expect(associated.map(\.uuid) == [energy.uuid])
        }
    }

    @Test(
        "§10.4 two workouts of the same hour remain two objects", .covers("HKWorkout"))
    func twoWorkouts() async throws {
        try await TestDays.with { days in
            for activity in [HKWorkoutActivityType.running, .walking] {
                let configuration = HKWorkoutConfiguration()
                configuration.activityType = activity
                let builder = HKWorkoutBuilder(
                    healthStore: days.store, configuration: configuration, device: nil)
                try await builder.beginCollection(at: days.at(10))
                try await builder.endCollection(at: days.at(11))
                _ = try await builder.finishWorkout()
            }
            #expect(
                try await days.store.samples(HKObjectType.workoutType(), days.ownSamples).count == 2
            )
        }
    }
}
