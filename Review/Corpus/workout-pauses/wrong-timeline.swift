// A screen's clock since the start that the model keeps.
import HealthKit
import SwiftUI

final class TrailModel: NSObject, ObservableObject {
    private var session: HKWorkoutSession?
    private var builder: HKLiveWorkoutBuilder?
    @Published private(set) var startDate: Date?
    @Published var running = false

    func begin(_ session: HKWorkoutSession) {
        let start = Date()
        self.session = session
        builder = session.associatedWorkoutBuilder()
        startDate = start
        session.startActivity(with: start)
    }

    func togglePause() { running ? session?.pause() : session?.resume() }
}

struct TrailView: View {
    @EnvironmentObject var model: TrailModel

    var body: some View {
        TimelineView(.periodic(from: .now, by: 1)) { context in
            Text(elapsed(at: context.date))
        }
    }

    private func elapsed(at date: Date) -> String {
        guard let start = model.startDate else { return "00:00" }
        let seconds = Int(date.timeIntervalSince(start))  // finds workout-pauses
        return String(format: "%02d:%02d", seconds / 60, seconds % 60)
    }
}
