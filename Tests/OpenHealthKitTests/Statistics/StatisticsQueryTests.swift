import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("HKStatisticsQuery")
struct StatisticsQueryTests {
    private typealias Q = QueriedStore

    private func statistics(
        _ store: HKHealthStore, of type: HKQuantityType = Q.steps,
        _ options: HKStatisticsOptions = .cumulativeSum, _ predicate: NSPredicate? = nil
    ) async throws -> HKStatistics {
        let received = Received<Result<HKStatistics, any Error>>()
        store.execute(
            HKStatisticsQuery(
                quantityType: type, quantitySamplePredicate: predicate, options: options
            ) { received(.init($1, $2)) })
        return try await received.next().get()
    }

    @Test(
        "§2.3 samples that cross the boundary count in full; the dates are those of the samples",
        .covers("HKStatisticsQuery", "HKStatisticsQuery.init(*"))
    func whole() async throws {
        let store = try await Q.open()
        try await store.save([Q.walk(100, from: -3, to: 2), Q.walk(10, from: 20, to: 30)])
        let predicate = HKQuery.predicateForSamples(withStart: Q.minute(0), end: Q.minute(25))
        let result = try await statistics(store, .cumulativeSum, predicate)
        #expect(result.sumQuantity()?.doubleValue(for: .count()) == 110)
        #expect(result.startDate == Q.minute(-3))
        #expect(result.endDate == Q.minute(30))
    }

    @Test(
        "§1.3 overlapping samples of two sources are counted without duplicates",
        .covers("HKStatisticsQuery"))
    func merged() async throws {
        let store = try await Q.open()
        let other = try await Q.other(store, "com.example.second")
        try await store.save(Q.walk(100, from: 0, to: 10))
        try await other.save(Q.walk(100, from: 0, to: 10))
        let result = try await statistics(store, [.cumulativeSum, .separateBySource])
        #expect(result.sumQuantity()?.doubleValue(for: .count()) == 100)
        #expect(result.sources?.count == 2)
        for source in try #require(result.sources) {
            #expect(result.sumQuantity(for: source)?.doubleValue(for: .count()) == 100)
        }
    }

    @Test(
        "§5.1 unsuitable options are an invalid argument and a finding, and do not trap",
        arguments: [
            Unsuitable(Q.heartRate, .cumulativeSum, "CumulativeSum", "discrete"),
            Unsuitable(Q.steps, .discreteAverage, "DiscreteAverage", "cumulative"),
            Unsuitable(Q.steps, [.cumulativeSum, .discreteMax], "DiscreteMax", "cumulative"),
        ])
    private func unsuitable(_ wrong: Unsuitable) async throws {
        let store = try await Q.open()
        let error = await #expect(throws: HKError.self) {
            _ = try await statistics(store, of: wrong.type, wrong.options)
        }
        #expect(error?.code == .errorInvalidArgument)
        #expect(
            error?.localizedDescription
                == "Statistics option HKStatisticsOption\(wrong.option) is not compatible with "
                + "\(wrong.style) data type \(wrong.type.identifier)")
        #expect(store.diagnostics.findings.map(\.rule) == [.fitOptions])
    }

    private struct Unsuitable: Sendable {
        let type: HKQuantityType
        let options: HKStatisticsOptions
        let option: String
        let style: String

        init(
            _ type: HKQuantityType, _ options: HKStatisticsOptions, _ option: String,
            _ style: String
        ) {
            self.type = type
            self.options = options
            self.option = option
            self.style = style
        }
    }

    @Test("§5.2 empty options, mostRecent and duration are valid for every type")
    func suitable() async throws {
        let store = try await Q.open()
        try await store.save([Q.walk(8, from: 0, to: 10), Q.walk(9, from: 5, to: 15)])
        let bare = try await statistics(store, [])
        #expect(bare.sumQuantity() == nil && bare.sources == nil)
        #expect(bare.startDate == Q.minute(0))
        let result = try await statistics(store, [.mostRecent, .duration])
        #expect(result.mostRecentQuantity()?.doubleValue(for: .count()) == 9)
        #expect(result.duration()?.doubleValue(for: .minute()) == 15)
        #expect(store.diagnostics.findings.isEmpty)
    }

    @Test("§5.11 without data, the handler receives errorNoData with Apple's description")
    func noData() async throws {
        let store = try await Q.open()
        let error = await #expect(throws: HKError.self) { _ = try await statistics(store) }
        #expect(error?.code == .errorNoData)
        #expect(
            error?.localizedDescription == "No data available for the specified predicate.")
    }

    @Test("§8.3 with reading denied, sums include the app's own data only")
    func ownData() async throws {
        let store = try await Q.open()
        let denied = store.withIdentity(AppIdentity("com.example.denied"))
        try denied.setAuthorization(.shareOnly, for: [Q.steps])
        try await store.save(Q.walk(100, from: 0, to: 10))
        try await denied.save(Q.walk(7, from: 20, to: 30))
        #expect(
            try await statistics(denied).sumQuantity()?.doubleValue(for: .count()) == 7)
    }

    @Test("§3.2 discrete types have average, minimum and maximum")
    func discrete() async throws {
        let store = try await Q.open()
        try await store.save([Q.beat(60, at: 0), Q.beat(90, at: 0.5)])
        let result = try await statistics(
            store, of: Q.heartRate, [.discreteAverage, .discreteMin, .discreteMax])
        let unit = Q.perMinute
        let average = try #require(result.averageQuantity()?.doubleValue(for: unit))
        #expect(abs(average - 75) < 1e-9)
        let lowest = try #require(result.minimumQuantity()?.doubleValue(for: unit))
        #expect(abs(lowest - 60) < 1e-9)
        let highest = try #require(result.maximumQuantity()?.doubleValue(for: unit))
        #expect(abs(highest - 90) < 1e-9)
    }
}
