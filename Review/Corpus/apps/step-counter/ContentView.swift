// The ring, the caption and the week.
import Charts
import SwiftUI

struct ContentView: View {
    @EnvironmentObject private var model: StepsViewModel
    @AppStorage("dailyGoal") private var goal = 10_000
    @State private var showsGoal = false

    var body: some View {
        NavigationStack {
            ScrollView {
                VStack(spacing: 24) {
                    ring
                    caption
                    WeekChart(days: model.week, goal: goal)
                        .frame(height: 220)
                    if !model.hours.isEmpty {
                        HourChart(hours: model.hours)
                            .frame(height: 120)
                    }
                }
                .padding()
            }
            .navigationTitle("Steps")
            .toolbar {
                Button("Goal", systemImage: "target") { showsGoal = true }
            }
            .refreshable { model.refresh() }
            .sheet(isPresented: $showsGoal) { GoalSheet(goal: $goal) }
            .overlay {
                if let message = model.errorMessage {
                    Text(message).foregroundStyle(.red)
                }
            }
        }
    }

    private var ring: some View {
        ZStack {
            Circle().stroke(.quaternary, lineWidth: 18)
            Circle()
                .trim(from: 0, to: model.progress)
                .stroke(.green, style: StrokeStyle(lineWidth: 18, lineCap: .round))
                .rotationEffect(.degrees(-90))
            Text(model.today?.count ?? 0, format: .number)
                .font(.system(.largeTitle, design: .rounded).bold())
        }
        .frame(width: 220, height: 220)
        .animation(.spring, value: model.progress)
    }

    private var caption: some View {
        HStack {
            Label("\(model.distance, specifier: "%.1f") km", systemImage: "figure.walk")
            Spacer()
            Label("ø \(model.weekAverage)", systemImage: "calendar")
        }
        .font(.headline)
    }
}

struct WeekChart: View {
    let days: [DailySteps]
    let goal: Int

    var body: some View {
        Chart {
            ForEach(days) { day in
                BarMark(x: .value("Day", day.date, unit: .day), y: .value("Steps", day.count))
                    .foregroundStyle(day.count >= goal ? .green : .orange)
            }
            RuleMark(y: .value("Goal", goal))
        }
    }
}

struct HourChart: View {
    let hours: [HourlySteps]

    var body: some View {
        Chart(hours) { hour in
            BarMark(x: .value("Hour", hour.hour, unit: .hour), y: .value("Steps", hour.count))
        }
    }
}

struct GoalSheet: View {
    @Binding var goal: Int
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        Form {
            Stepper("\(goal) steps", value: $goal, in: 1_000...40_000, step: 500)
            Button("Done") { dismiss() }
        }
    }
}
