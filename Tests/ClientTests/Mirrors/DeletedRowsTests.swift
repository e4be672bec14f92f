import Foundation
import OpenHealthKit
import Testing

/// A local table of workouts that follows HealthKit's additions and deletions.
@Suite struct DeletedRowsTests {
    @Test("rows are added and removed with their workouts, through an archived anchor")
    func addedAndRemoved() async throws {
        let household = try Household()
        let types: Set<HKSampleType> = [.workoutType()]
        try await household.authorize(share: types, read: types)
        let workouts = (0..<3).map { hour in
            HKWorkout(
                activityType: .running, start: household.midnight + Double(hour) * 7200,
                end: household.midnight + Double(hour) * 7200 + 1800)
        }
        try await household.store.save(workouts)
        let rows = DeletedRows(healthStore: household.store)
        try await rows.sync()
        try await rows.sync()
        #expect(rows.rows.map(\.id) == workouts.map(\.uuid))
        try await household.store.delete(workouts[1])
        try await rows.sync()
        #expect(rows.rows.map(\.id) == [workouts[0].uuid, workouts[2].uuid])
        #expect(try rows.rows(of: "workout").count == 2)
        #expect(try rows.rows(of: "steps").isEmpty)
    }
}
