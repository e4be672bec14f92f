import Foundation
import OpenHealthKit
import Testing

/// A local table of workouts that follows HealthKit's additions and deletions.
@Suite struct DeletedRowsTests {
    @Test("rows are added and removed with their workouts, through an archived anchor")
    func addedAndRemoved() async throws {
        let fixture = try ClientFixture()
        let types: Set<HKSampleType> = [.workoutType()]
        try await fixture.authorize(share: types, read: types)
        let workouts = (0..<3).map { hour in
            HKWorkout(
                activityType: .running, start: fixture.midnight + Double(hour) * 7200,
                end: fixture.midnight + Double(hour) * 7200 + 1800)
        }
        try await fixture.store.save(workouts)
        let rows = DeletedRows(healthStore: fixture.store)
        try await rows.sync()
        try await rows.sync()
        #expect(rows.rows.map(\.id) == workouts.map(\.uuid))
        try await fixture.store.delete(workouts[1])
        try await rows.sync()
        #expect(rows.rows.map(\.id) == [workouts[0].uuid, workouts[2].uuid])
        #expect(try rows.rows(of: "workout").count == 2)
        #expect(try rows.rows(of: "steps").isEmpty)
    }
}
