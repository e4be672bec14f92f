// The screens: start, metrics, summary.
import HealthKit
import HealthKitUI
import SwiftUI
import WatchKit

struct StartView: View {
    @EnvironmentObject private var recorder: WorkoutRecorder
    private let activities: [HKWorkoutActivityType] = [.running, .walking, .cycling]

    var body: some View {
        List(activities, id: \.rawValue) { activity in
            NavigationLink(activity.title) {
                MetricsView()
                    .onAppear { recorder.start(activity) }
            }
        }
        .listStyle(.carousel)
        .onAppear { recorder.requestAuthorization() }
    }
}

struct MetricsView: View {
    @EnvironmentObject private var recorder: WorkoutRecorder

    var body: some View {
        TimelineView(.periodic(from: recorder.builder?.startDate ?? .now, by: 1)) { context in
            VStack(alignment: .leading) {
                Text(
                    Duration.seconds(recorder.builder?.elapsedTime(at: context.date) ?? 0),
                    format: .time(pattern: .minuteSecond))
                Text(
                    Measurement(value: recorder.activeEnergy, unit: UnitEnergy.kilocalories),
                    format: .measurement(width: .abbreviated, usage: .workout))
                Text("\(recorder.heartRate, format: .number.precision(.fractionLength(0))) bpm")
                Text(
                    Measurement(value: recorder.distance, unit: UnitLength.meters),
                    format: .measurement(width: .abbreviated, usage: .road))
            }
            .font(.system(.title, design: .rounded).monospacedDigit())
        }
        .toolbar {
            ToolbarItemGroup(placement: .bottomBar) {
                Button("End", systemImage: "xmark") { recorder.end() }
                Button("Pause", systemImage: recorder.running ? "pause" : "play") {
                    recorder.togglePause()
                }
            }
        }
    }
}

struct SummaryView: View {
    @EnvironmentObject private var recorder: WorkoutRecorder
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        if let workout = recorder.workout {
            ScrollView {
                LabeledContent("Time") {
                    Text(Duration.seconds(workout.duration), format: .time(pattern: .hourMinute))
                }
                LabeledContent("Average", value: recorder.averageHeartRate, format: .number)
                if let rate = recorder.recoveryRate {
                    LabeledContent("Now", value: rate, format: .number)
                }
                RingsView(healthStore: recorder.healthStore)
                    .frame(width: 60, height: 60)
                Button("Done") {
                    recorder.reset()
                    dismiss()
                }
            }
        } else {
            ProgressView("Saving")
        }
    }
}

struct RingsView: WKInterfaceObjectRepresentable {
    let healthStore: HKHealthStore

    func makeWKInterfaceObject(context: Context) -> some WKInterfaceObject {
        let object = WKInterfaceActivityRing()
        let calendar = Calendar.current
        var components = calendar.dateComponents([.era, .year, .month, .day], from: Date())
        components.calendar = calendar
        let predicate = HKQuery.predicateForActivitySummary(with: components)
        let query = HKActivitySummaryQuery(predicate: predicate) { _, summaries, _ in
            DispatchQueue.main.async {
                object.setActivitySummary(summaries?.first, animated: true)
            }
        }
        healthStore.execute(query)
        return object
    }

    func updateWKInterfaceObject(_ object: WKInterfaceObjectType, context: Context) {}
}

extension HKWorkoutActivityType {
    var title: String {
        switch self {
        case .running: "Run"
        case .walking: "Walk"
        case .cycling: "Bike"
        default: "Workout"
        }
    }
}
