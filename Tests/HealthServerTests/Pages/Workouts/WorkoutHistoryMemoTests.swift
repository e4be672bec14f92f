import Foundation
import HealthDashboard
import HealthEngine
import HealthStorage
import OpenHealthKit
import Testing

@testable import HealthServer

@Suite struct WorkoutHistoryMemoTests {
    @Test("a workout changes the revision, other samples do not")
    func revision() async throws {
        let file = try RecordedStore()
        try file.add("stepCount", "Watch", 0, 60, 5, .watch)
        try file.write()
        let store = try file.open(.reading)
        let memo = WorkoutHistoryMemo()
        let first = try memo.revision(in: store)
        #expect(try memo.revision(in: store) == first)
        try file.add("stepCount", "Watch", 60, 120, 7, .watch)
        try file.write()
        #expect(try memo.revision(in: store) == first)
        try await run(in: file.path)
        let second = try memo.revision(in: store)
        #expect(second != first)
        #expect(try memo.revision(in: store) == second)
    }

    @Test("the history is read once for a revision and a day")
    func history() async throws {
        let memo = WorkoutHistoryMemo()
        let context = PageContext(
            now: Date(timeIntervalSinceReferenceDate: 700_000_000), calendar: .current)
        let service = FakeHealthService()
        func read(_ revision: Int64, on day: CivilDate) async throws {
            _ = try await memo.history(at: revision, on: day) {
                () async throws(Unavailability) in
                try await WorkoutHistory(of: service, context: context)
            }
        }
        let day = CivilDate(2024, 3, 10)
        for _ in 0..<3 { try await read(1, on: day) }
        #expect(await service.requestCount == 1)
        try await read(2, on: day)
        try await read(2, on: CivilDate(2024, 3, 11))
        #expect(await service.requestCount == 3)
    }

    @Test("a route changes the revision")
    func route() async throws {
        let file = try RecordedStore()
        try file.add("stepCount", "Watch", 0, 60, 5, .watch)
        try file.write()
        try await run(in: file.path)
        let store = try file.open(.reading)
        let memo = WorkoutHistoryMemo()
        let first = try memo.revision(in: store)
        try file.add("workoutRoute", "Watch", 0, 600, 0, .watch)
        try file.write()
        #expect(try memo.revision(in: store) != first)
    }

    private func run(in path: String) async throws {
        let store = try HKHealthStore(
            path: path, configuration: HealthStoreConfiguration(authorization: .assumed))
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: configuration, device: nil)
        let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
        try await builder.beginCollection(at: start)
        try await builder.endCollection(at: start + 600)
        _ = try await builder.finishWorkout()
    }
}
