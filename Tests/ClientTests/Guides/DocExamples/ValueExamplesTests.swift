import Foundation
import HealthCalendar
import HealthEngine
import HealthKit
import HealthSimulator
import Testing

/// The examples in the doc comments of HealthCalendar, HealthEngine and HealthSimulator.
@Suite struct ValueExamplesTests {
    let nine = Date(timeIntervalSinceReferenceDate: 796_899_600)
    var evening: Date { nine.addingTimeInterval(12 * 3600) }
    var tomorrow: Date { nine.addingTimeInterval(24 * 3600) }

    @Test("a day on which the clocks go forward has 23 hours")
    func buckets() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let berlin = CalendarBuckets(timeZone: zone)
        let day = try (berlin.time("2024-03-31"), berlin.time("2024-04-01"))
        let borders = try berlin.edges(from: day.0, to: day.1, by: .hour).count
        #expect(borders == 24)
    }

    @Test("a date is parsed strictly from digits")
    func digits() {
        var text = "2024-03"
        text.withUTF8 { bytes in
            var reader = DigitReader(bytes)
            let year = reader.number(4)
            let hasSeparator = reader.skip("-")
            let month = reader.number(2)
            #expect(year == 2024)
            #expect(hasSeparator)
            #expect(month == 3)
        }
    }

    @Test("three intervals have a variability")
    func variability() throws {
        let beats = [0.0, 0.8, 1.61, 2.4].map { Heartbeat(bpm: .nan, time: "", offset: $0) }
        let variability = HeartRateVariability(beats)
        let sdnn = try #require(variability.sdnn)
        let rmssd = try #require(variability.rmssd)
        #expect(abs(sdnn - 10) < 1e-9)
        #expect(abs(rmssd - 15.8) < 0.02)
    }

    @Test("distances of a workout are added in the unit of the first")
    func workoutTotal() {
        let workout = Workout(
            activityType: 82, activities: [],
            statistics: [
                .init(type: "HKQuantityTypeIdentifierDistanceWalkingRunning", unit: "km", sum: 5),
                .init(type: "HKQuantityTypeIdentifierDistanceSwimming", unit: "m", sum: 1500),
            ])
        let distance = workout.total(.distance)
        #expect(distance?.value == 6500)
        #expect(distance?.unit == "m")
    }

    @Test("steps of a Watch sync to the phone in the evening")
    func deviceScript() async throws {
        let store = HKHealthStore.inMemory()
        var script = DeviceScript()
        let watch = script.add(.watch(named: "Ann’s Watch"))
        let walk = script.measure(
            .quantity(.stepCount, 842, unit: .count()), from: nine, for: 600, on: watch)
        script.goOffline(watch, from: nine, for: 11 * 3600)
        script.edit(walk, to: 850, at: tomorrow)

        let devices = DevicePlayback(script, store: store)
        let actions = try await devices.run(until: evening)
        #expect(actions.count == 1)
    }

    @Test("a simulated person with few records has few days")
    func shortened() throws {
        let days = try SimulatedPerson(records: 3_000).shortened().days
        #expect(days != nil)
    }

    /// Not run: a year has 100,000 records.
    private func simulate(_ write: (SampleBatch) -> Void) throws -> Int {
        let simulation = try Simulation(SimulatedPerson(seed: 1, years: 1))
        for batch in simulation.batches { write(batch) }
        return simulation.groundTruth.days[0].steps
    }
}
