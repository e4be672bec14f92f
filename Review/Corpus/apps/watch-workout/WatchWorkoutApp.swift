// Entry of a watch app that records workouts.
import SwiftUI

@main
struct WatchWorkoutApp: App {
    @StateObject private var workoutManager = WorkoutRecorder()

    var body: some Scene {
        WindowGroup {
            NavigationStack {
                StartView()
            }
            .sheet(isPresented: $workoutManager.showsSummary) {
                SummaryView()
            }
            .environmentObject(workoutManager)
        }
    }
}
