import Testing

/// §1 and §3 to §5, as far as one app can test them.
@Suite(.reported) struct StatisticsConformance {
    @Test(
        "§1.1 a sample query returns all overlapping samples of an app",
        .covers(
            "HKSampleQuery",
            "HKSampleQuery.init(sampleType:predicate:limit:sortDescriptors:resultsHandler:)",
            "HKHealthStore.execute(_:)"))
    func rawSamples() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                steps(100, days.at(10), days.at(11)), steps(50, days.at(10), days.at(11)),
            ])
            let found = try await days.store.samples(HKQuantityType(.stepCount), days.ownSamples)
            #expect(found.map { $0.number() }.sorted() == [50, 100])
        }
    }

    @Test(
        "§1.4 two equal samples of one source count twice",
        .covers("HKStatistics.sumQuantity()", "HKStatistics.sumQuantity(for:)"))
    func ownOverlapAdds() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                steps(100, days.at(10), days.at(11)), steps(100, days.at(10), days.at(11)),
                steps(30, days.at(10, 30), days.at(11, 30)),
            ])
            let statistics = try await days.store.statistics(
                HKQuantityType(.stepCount), days.ownSamples, [.cumulativeSum, .separateBySource])
            measured("merged sum", statistics.sum())
            measured("sum of the source", statistics.sum(of: .default()))
            #expect(statistics.sum() == 230)
            #expect(statistics.sum(of: .default()) == 230)
        }
    }

    @Test(
        "§1.6 a bucket of a whole-number type holds a fraction",
        .covers("HKStatistics.sumQuantity()"))
    func fractions() async throws {
        try await TestDays.with { days in
            // 4051/46, the number from react-native-health's issue 344.
            try await days.store.save(steps(4051, days.at(11, 59, 59), days.at(12, 0, 45)))
            let hours = try await days.store.collection(
                HKQuantityType(.stepCount), days.ownSamples, .cumulativeSum, from: days.start,
                every: DateComponents(hour: 1))
            let first = try #require(hours.statistics().first?.sum())
            measured("sum of the first hour", first)
            #expect(abs(first - 88.065_217_391_304_26) < 1e-9)
        }
    }

    @Test(
        "§3.1 every type has the aggregation style of Apple's headers",
        .covers("HKQuantityType.aggregationStyle", "HKQuantityAggregationStyle"),
        arguments: [
            (HKQuantityTypeIdentifier.stepCount, HKQuantityAggregationStyle.cumulative),
            (.insulinDelivery, .cumulative), (.numberOfTimesFallen, .cumulative),
            (.timeInDaylight, .cumulative), (.inhalerUsage, .cumulative),
            (.dietaryWater, .cumulative), (.heartRate, .discreteTemporallyWeighted),
            (.atrialFibrillationBurden, .discreteTemporallyWeighted),
            (.environmentalAudioExposure, .discreteEquivalentContinuousLevel),
            (.headphoneAudioExposure, .discreteEquivalentContinuousLevel),
            (.environmentalSoundReduction, .discreteEquivalentContinuousLevel),
            (.sixMinuteWalkTestDistance, .discreteArithmetic), (.uvExposure, .discreteArithmetic),
            (.physicalEffort, .discreteArithmetic), (.runningPower, .discreteArithmetic),
            (.respiratoryRate, .discreteArithmetic), (.oxygenSaturation, .discreteArithmetic),
            (.appleSleepingBreathingDisturbances, .discreteArithmetic),
        ])
    func styles(type: HKQuantityTypeIdentifier, style: HKQuantityAggregationStyle) {
        #expect(HKQuantityType(type).aggregationStyle == style)
    }

    @Test(
        "§3.2 an arithmetic average is not weighted by time",
        .covers("HKStatistics.averageQuantity()", "HKStatisticsOptions.discreteAverage"))
    func arithmeticMean() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                quantity(.runningPower, 100, .watt(), days.at(10), days.at(10)),
                quantity(.runningPower, 300, .watt(), days.at(10, 1), days.at(10, 1)),
                quantity(.runningPower, 500, .watt(), days.at(10, 50), days.at(10, 50)),
            ])
            let statistics = try await days.store.statistics(
                HKQuantityType(.runningPower), days.ownSamples, .discreteAverage)
            let average = statistics.averageQuantity()?.doubleValue(for: .watt())
            measured("average", average)
            #expect(average == 300)
        }
    }

    @Test(
        "§3.4 sound levels are averaged by energy, weighted by time",
        .covers("HKStatistics.averageQuantity()"))
    func soundLevels() async throws {
        try await TestDays.with { days in
            let decibel = HKUnit.decibelAWeightedSoundPressureLevel()
            try await days.store.save([
                quantity(.environmentalAudioExposure, 60, decibel, days.at(10), days.at(10, 30)),
                quantity(
                    .environmentalAudioExposure, 80, decibel, days.at(10, 30), days.at(10, 40)),
            ])
            let statistics = try await days.store.statistics(
                HKQuantityType(.environmentalAudioExposure), days.ownSamples, .discreteAverage)
            let level = try #require(statistics.averageQuantity()?.doubleValue(for: decibel))
            measured("level", level)
            // 10·log10((30·10^6 + 10·10^8) / 40), computed by hand.
            #expect(abs(level - 74.107_772) < 1e-6)
        }
    }

    @Test(
        "§3.5 statistics have the minimum, the maximum and the sample that started last",
        .covers(
            "HKStatistics.minimumQuantity()", "HKStatistics.maximumQuantity()",
            "HKStatistics.mostRecentQuantity()", "HKStatistics.mostRecentQuantityDateInterval()",
            "HKStatisticsOptions.mostRecent", "HKStatisticsOptions.discreteMin",
            "HKStatisticsOptions.discreteMax"))
    func extremes() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                weight(70, days.at(8)), weight(68, days.at(20)), weight(75, days.at(12)),
            ])
            let statistics = try await days.store.statistics(
                HKQuantityType(.bodyMass), days.ownSamples,
                [.discreteMin, .discreteMax, .mostRecent])
            for (name, quantity) in [
                ("minimum", statistics.minimumQuantity()),
                ("maximum", statistics.maximumQuantity()),
                ("most recent", statistics.mostRecentQuantity()),
            ] { measured(name, quantity?.doubleValue(for: .kilogram)) }
            #expect(statistics.minimumQuantity()?.doubleValue(for: .kilogram) == 68)
            #expect(statistics.maximumQuantity()?.doubleValue(for: .kilogram) == 75)
            #expect(statistics.mostRecentQuantity()?.doubleValue(for: .kilogram) == 68)
            #expect(
                statistics.mostRecentQuantityDateInterval()
                    == DateInterval(start: days.at(20), end: days.at(20)))
        }
    }

    @Test(
        "§3.7 the duration counts overlapping samples once, and is nil unless requested",
        .covers("HKStatistics.duration()", "HKStatisticsOptions.duration"))
    func duration() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                steps(10, days.at(10), days.at(10, 30)),
                steps(10, days.at(10, 15), days.at(10, 45)),
                steps(10, days.at(12), days.at(12, 5)),
            ])
            let type = HKQuantityType(.stepCount)
            let requested = try await days.store.statistics(
                type, days.ownSamples, [.cumulativeSum, .duration])
            measured("minutes", requested.duration()?.doubleValue(for: .minute()))
            #expect(requested.duration()?.doubleValue(for: .minute()) == 50)
            let unrequested = try await days.store.statistics(type, days.ownSamples, .cumulativeSum)
            #expect(unrequested.duration() == nil)
        }
    }

    @Test(
        "§4.2 values of a source are available with .separateBySource and nil without",
        .covers(
            "HKStatistics.sources", "HKStatistics.sumQuantity(for:)",
            "HKStatisticsOptions.separateBySource"))
    func bySource() async throws {
        try await TestDays.with { days in
            try await days.store.save(steps(10, days.at(10), days.at(11)))
            let type = HKQuantityType(.stepCount)
            let separated = try await days.store.statistics(
                type, days.ownSamples, [.cumulativeSum, .separateBySource])
            #expect(separated.sources == [.default()])
            #expect(separated.sum(of: .default()) == 10)
            #expect(separated.sum() == 10)
            let merged = try await days.store.statistics(type, days.ownSamples, .cumulativeSum)
            #expect(merged.sources == nil)
            #expect(merged.sum(of: .default()) == nil)
        }
    }

    @Test(
        "§4.4 a collection lists its sources only with .separateBySource",
        .covers("HKStatisticsCollection.sources()"))
    func collectionSources() async throws {
        try await TestDays.with { days in
            try await days.store.save(steps(10, days.at(10), days.at(11)))
            for (options, expected) in [
                (HKStatisticsOptions.cumulativeSum, Set<HKSource>()),
                ([.cumulativeSum, .separateBySource], [.default()]),
            ] {
                let collection = try await days.store.collection(
                    HKQuantityType(.stepCount), days.ownSamples, options, from: days.start,
                    every: DateComponents(day: 1))
                #expect(collection.sources() == expected)
            }
        }
    }

    @Test("§5.2 several discrete options can be combined", .covers("HKStatisticsOptions"))
    func combinedOptions() async throws {
        try await TestDays.with { days in
            try await days.store.save([weight(70, days.at(8)), weight(80, days.at(9))])
            let all = try await days.store.statistics(
                HKQuantityType(.bodyMass), days.ownSamples, [.discreteAverage, .discreteMin])
            measured("average", all.averageQuantity()?.doubleValue(for: .kilogram))
            #expect(all.averageQuantity()?.doubleValue(for: .kilogram) == 75)
            #expect(all.minimumQuantity()?.doubleValue(for: .kilogram) == 70)
            #expect(all.maximumQuantity() == nil)
        }
    }
}
