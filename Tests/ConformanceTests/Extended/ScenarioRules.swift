import HealthEngine
import HealthTesting
import Testing

@testable import PortableConformance

/// The merge scenarios, tested through HealthKit's API.
@Suite struct ScenarioRules {
    @Test(
        "§1.3 a collection query returns the expected numbers of every merge scenario",
        .covers("HKStatisticsCollectionQuery", "HKStatistics.sumQuantity(for:)"),
        arguments: try Scenario.all(in: ProjectFiles.scenarios.appendingPathComponent("merge"))
            .filter(Self.isExpressible))
    func merge(scenario: Scenario) async throws {
        try await run(scenario)
    }

    @Test("most merge scenarios can be expressed as a collection query")
    func found() throws {
        let all = try Scenario.all(in: ProjectFiles.scenarios.appendingPathComponent("merge"))
        #expect(all.filter(Self.isExpressible).count > 40)
    }

    /// Returns whether the API can express a scenario: quantities, known units, no horizon, buckets
    /// of one length, and no sample that HealthKit would refuse.
    private static func isExpressible(_ scenario: Scenario) -> Bool {
        guard case .quantity = scenario.kind, scenario.rules.maximumGap == 600,
            scenario.rules.horizon == .infinity, scenario.calendar == nil,
            scenario.conversions.allSatisfy({ $0 == .identity }),
            scenario.batch.samples.allSatisfy({ $0.start <= $0.end && !$0.isUndetermined })
        else { return false }
        let lengths = Set(zip(scenario.edges.dropFirst(), scenario.edges).map { $0 - $1 })
        return lengths.count == 1 && lengths.first.map { $0 == $0.rounded() } == true
    }

    private func run(_ scenario: Scenario) async throws {
        var settings = FixtureSettings()
        settings.gapTolerance = scenario.rules.gapTolerance
        settings.discreteMerge =
            scenario.rules.discreteMerge == .bySourceOrder ? .bySourceOrder : .allSources
        let fixture = try MemoryFixture(settings)
        let (type, unit, options) = try queryParameters(scenario)
        let apps = scenario.batch.sources.map {
            TestApp(bundleIdentifier: $0.bundleIdentifier, name: $0.name)
        }
        let ordered = scenario.batch.samples.sorted { ($0.created, $0.key) < ($1.created, $1.key) }
        for sample in ordered {
            let source = Int(scenario.batch.origins[Int(sample.origin)].source)
            try await fixture.save(
                [
                    HKQuantitySample(
                        type: type, quantity: HKQuantity(unit: unit, doubleValue: sample.value),
                        start: Date(timeIntervalSinceReferenceDate: sample.start),
                        end: Date(timeIntervalSinceReferenceDate: sample.end))
                ], as: apps[source])
            fixture.advance(by: 1)
        }
        let actual = Set(ordered.map { Int(scenario.batch.origins[Int($0.origin)].source) })
        let ranked = scenario.order.ranking.map { Int($0) }.filter(actual.contains)
        try fixture.setSourceOrder(ranked.map { apps[$0] }, for: type)
        for source in scenario.order.excluded where actual.contains(Int(source)) {
            try fixture.exclude(apps[Int(source)], from: type)
        }
        let edges = scenario.edges
        let first = try #require(edges.first)
        let step = Int(edges[1] - edges[0])
        let collection = try await fixture.open(.diary).collection(
            type, nil, options, from: Date(timeIntervalSinceReferenceDate: first),
            every: DateComponents(second: step))
        let last = try #require(edges.last)
        let buckets = collection.statistics()
            .filter { (first..<last).contains($0.startDate.timeIntervalSinceReferenceDate) }
            .map { actualBucket($0, apps: apps, unit: unit) }
        #expect(scenario.withoutCounts.failures(buckets) == [])
    }

    private func queryParameters(
        _ scenario: Scenario
    ) throws -> (HKQuantityType, HKUnit, HKStatisticsOptions) {
        let discrete: HKStatisticsOptions = [
            .discreteAverage, .discreteMin, .discreteMax, .mostRecent, .duration, .separateBySource,
        ]
        return switch scenario.kind {
        case .quantity(.discreteArithmetic): (HKQuantityType(.runningPower), .watt(), discrete)
        case .quantity(.discreteTemporallyWeighted):
            (HKQuantityType(.heartRate), .count().unitDivided(by: .second()), discrete)
        case .quantity(.discreteEquivalentContinuousLevel):
            (
                HKQuantityType(.environmentalAudioExposure),
                .decibelAWeightedSoundPressureLevel(), discrete
            )
        default:
            (
                HKQuantityType(.stepCount), .count(),
                [.cumulativeSum, .mostRecent, .duration, .separateBySource]
            )
        }
    }

    private func actualBucket(_ statistics: HKStatistics, apps: [TestApp], unit: HKUnit)
        -> ScenarioResult
    {
        ScenarioResult(
            start: statistics.startDate.timeIntervalSinceReferenceDate,
            end: statistics.endDate.timeIntervalSinceReferenceDate
        ) { name, source in
            let matchingSource = source.flatMap { index in
                statistics.sources?.first {
                    $0.bundleIdentifier == apps[Int(index)].bundleIdentifier
                }
            }
            if source != nil && matchingSource == nil { return nil }
            func value(_ merged: HKQuantity?, _ bySource: (HKSource) -> HKQuantity?) -> Double? {
                (matchingSource.map(bySource) ?? merged)?.doubleValue(
                    for: name == "duration" ? .second() : unit)
            }
            let recent =
                matchingSource.map { statistics.mostRecentQuantityDateInterval(for: $0) }
                ?? statistics.mostRecentQuantityDateInterval()
            return switch name {
            case "sum": value(statistics.sumQuantity(), statistics.sumQuantity)
            case "average": value(statistics.averageQuantity(), statistics.averageQuantity)
            case "minimum": value(statistics.minimumQuantity(), statistics.minimumQuantity)
            case "maximum": value(statistics.maximumQuantity(), statistics.maximumQuantity)
            case "mostRecent": value(statistics.mostRecentQuantity(), statistics.mostRecentQuantity)
            case "mostRecentStart": recent?.start.timeIntervalSinceReferenceDate
            case "mostRecentEnd": recent?.end.timeIntervalSinceReferenceDate
            case "duration": value(statistics.duration(), statistics.duration)
            default: .nan
            }
        }
    }
}

extension Scenario {
    /// The scenario without sample counts, which HealthKit doesn't report.
    fileprivate var withoutCounts: Scenario {
        var scenario = self
        for index in scenario.buckets.indices {
            scenario.buckets[index].expectations?.removeAll { $0.quantity == "count" }
        }
        return scenario
    }
}
