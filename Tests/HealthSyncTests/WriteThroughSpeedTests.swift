import Foundation
import HealthSync
import OpenHealthKit
import Testing

/// Figures are promised for optimized builds alone, so nothing is held against them here but an
/// order of magnitude.
@Suite(.serialized) struct WriteThroughSpeedTests {
    @Test("fifty thousand changes are reconciled in seconds, and nothing to change in less")
    func reconciling() async throws {
        let world = try await WritesWorld()
        let samples = (0..<50_000).map { number in
            let date = WritesWorld.noon.addingTimeInterval(-Double(number) * 120)
            return HKQuantitySample(
                type: WritesWorld.mass,
                quantity: HKQuantity(unit: WritesWorld.kilo, doubleValue: 80), start: date,
                end: date)
        }
        try await world.other.save(samples)
        let clock = ContinuousClock()
        let start = clock.now
        let added = try await world.reconcile(.days(90)).added
        let first = clock.now - start
        let isDifferent = try await world.reconcile(.days(90)).foundDifferences
        let again = clock.now - start - first
        #expect(added == 50_000 && !isDifferent)
        print("50,000 changes reconciled in \(first), compared again in \(again)")
        #expect(first < .seconds(60))
    }

    @Test("a log takes milliseconds from the call to the committed entry")
    func logging() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("writes-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = try await WritesWorld(file: folder.appendingPathComponent("mirror.sqlite"))
        let writing = world.writing()
        var times: [Duration] = []
        let clock = ContinuousClock()
        for number in 0..<50 {
            let start = clock.now
            try await writing.log(world.draft(at: Double(number)))
            times.append(clock.now - start)
        }
        times.sort()
        print("log to committed: median \(times[25]), worst \(times[49])")
        #expect(times[25] < .milliseconds(300))
    }
}
