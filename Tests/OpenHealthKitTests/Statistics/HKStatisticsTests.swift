import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Statistics")
struct HKStatisticsTests {
    private let watch = HKSource(_name: "Watch", bundleIdentifier: "watch")
    private let phone = HKSource(_name: "iPhone", bundleIdentifier: "phone")
    private let otherSource = HKSource(_name: "App", bundleIdentifier: "app")
    private let everything: HKStatisticsOptions = [
        .separateBySource, .discreteAverage, .discreteMin, .discreteMax, .cumulativeSum,
        .mostRecent, .duration,
    ]

    /// Returns statistics with merged values from 1, the watch's from 11 and the phone's from 21.
    private func made(_ options: HKStatisticsOptions) -> HKStatistics {
        func values(_ first: Double) -> Statistics.Values {
            var values = Statistics.Values(count: 1)
            values.sum = first
            values.average = first + 1
            values.minimum = first + 2
            values.maximum = first + 3
            values.mostRecent = first + 4
            values.mostRecentStart = first + 5
            values.mostRecentEnd = first + 6
            values.duration = first + 7
            return values
        }
        return HKStatistics(
            _type: HKQuantityType(.stepCount),
            statistics: Statistics(
                start: 100, end: 200, merged: values(1), bySource: [0: values(11), 1: values(21)]),
            options: options, unit: .count(), sources: [watch, phone, otherSource])
    }

    @Test(
        "§4 values by source are available in addition to the merged ones",
        .covers(
            "HKStatistics", "HKStatistics.*", "HKStatistics.sumQuantity()",
            "HKStatistics.sumQuantity(for:)"))
    func everyValue() {
        let statistics = made(everything)
        #expect(statistics.quantityType == HKQuantityType(.stepCount))
        #expect(statistics.startDate.timeIntervalSinceReferenceDate == 100)
        #expect(statistics.endDate.timeIntervalSinceReferenceDate == 200)
        #expect(statistics.sources == [watch, phone])
        func number(_ quantity: HKQuantity?) -> Double? { quantity?.doubleValue(for: .count()) }
        #expect(number(statistics.sumQuantity()) == 1)
        #expect(number(statistics.averageQuantity()) == 2)
        #expect(number(statistics.minimumQuantity()) == 3)
        #expect(number(statistics.maximumQuantity()) == 4)
        #expect(number(statistics.mostRecentQuantity()) == 5)
        let interval = statistics.mostRecentQuantityDateInterval()
        #expect(interval?.start.timeIntervalSinceReferenceDate == 6)
        #expect(interval?.end.timeIntervalSinceReferenceDate == 7)
        #expect(statistics.duration()?.doubleValue(for: .second()) == 8)

        #expect(number(statistics.sumQuantity(for: phone)) == 21)
        #expect(number(statistics.averageQuantity(for: phone)) == 22)
        #expect(number(statistics.minimumQuantity(for: phone)) == 23)
        #expect(number(statistics.maximumQuantity(for: phone)) == 24)
        #expect(number(statistics.mostRecentQuantity(for: phone)) == 25)
        let own = statistics.mostRecentQuantityDateInterval(for: phone)
        #expect(own?.start.timeIntervalSinceReferenceDate == 26)
        #expect(own?.end.timeIntervalSinceReferenceDate == 27)
        #expect(statistics.duration(for: phone)?.doubleValue(for: .second()) == 28)
        #expect(number(statistics.sumQuantity(for: watch)) == 11)
        #expect(statistics.sumQuantity(for: otherSource) == nil)
    }

    @Test(
        "§5.2 values that were not requested are nil", .covers("HKStatistics.sources"),
        arguments: [
            HKStatisticsOptions.separateBySource, .discreteAverage, .discreteMin, .discreteMax,
            .cumulativeSum, .mostRecent, .duration, [],
        ])
    func requestedValuesOnly(option: HKStatisticsOptions) {
        let statistics = made(option)
        #expect((statistics.sources != nil) == (option == .separateBySource))
        #expect((statistics.averageQuantity() != nil) == (option == .discreteAverage))
        #expect((statistics.minimumQuantity() != nil) == (option == .discreteMin))
        #expect((statistics.maximumQuantity() != nil) == (option == .discreteMax))
        #expect((statistics.sumQuantity() != nil) == (option == .cumulativeSum))
        #expect((statistics.mostRecentQuantity() != nil) == (option == .mostRecent))
        #expect((statistics.mostRecentQuantityDateInterval() != nil) == (option == .mostRecent))
        #expect((statistics.duration() != nil) == (option == .duration))
        #expect(statistics.sumQuantity(for: watch) == nil, "§4.2")
        #expect(statistics.mostRecentQuantityDateInterval(for: watch) == nil)
    }

    @Test("unarchived statistics equal the originals")
    func archives() throws {
        let statistics = made(everything)
        let back = try archived(statistics)
        #expect(back == statistics)
        #expect(back.sources == [watch, phone])
        #expect(back.duration(for: phone) == statistics.duration(for: phone))
        #expect(back != made([.cumulativeSum]))
        #expect(statistics.copy() as? HKStatistics == statistics)
    }
}
