import HealthKit
import SwiftUI

struct GoalView: View {

    @EnvironmentObject var manager: HealthManager
    @State private var distance = 0.0
    @State private var goal = 5_000.0
    @State private var showsSettings = false

    var body: some View {
        VStack {
            Gauge(value: min(distance, goal), in: 0...goal) { Text("Distance") }
            Stepper("Goal", value: $goal, in: 1_000...50_000, step: 500)
            Button("Settings") { showsSettings.toggle() }
        }
        .task { await load() }
        .sheet(isPresented: $showsSettings) { Text("Settings") }
    }

    private func load() async {
        let predicate = HKQuery.predicateForSamples(withStart: .startOfDay, end: nil)
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.distanceWalkingRunning), predicate: predicate),
            options: .cumulativeSum)
        let sum = try? await descriptor.result(for: manager.healthStore)?.sumQuantity()
        distance = sum?.doubleValue(for: .meter()) ?? 0  // finds error-as-zero
    }
}
