// Last night and the month.
import Charts
import SwiftUI

struct NightView: View {
    @State var model: NightModel
    private let formatter: DateComponentsFormatter = {
        let formatter = DateComponentsFormatter()
        formatter.allowedUnits = [.hour, .minute]
        formatter.unitsStyle = .abbreviated
        return formatter
    }()

    var body: some View {
        NavigationStack {
            List {
                if let night = model.nights.first {
                    Section("Last night") {
                        ForEach(Stage.allCases) { stage in
                            LabeledContent(stage.rawValue.capitalized) {
                                Text(formatter.string(from: night.duration(of: stage)) ?? "-")
                            }
                        }
                    }
                }
                Section("Month") {
                    Chart(model.nights) { night in
                        BarMark(
                            x: .value("Night", night.day, unit: .day),
                            y: .value("Hours", night.asleep / 3600))
                    }
                    .frame(height: 180)
                    LabeledContent("Average") {
                        Text(formatter.string(from: model.averageSleep) ?? "-")
                    }
                }
                if let rate = model.averageHeartRate {
                    LabeledContent("Heart rate", value: rate, format: .number)
                }
            }
            .overlay { if model.isLoading { ProgressView() } }
            .navigationTitle("Sleep")
            .task { await model.run() }
            .alert("Something went wrong", isPresented: .constant(model.failure != nil)) {
                Button("OK") { model.failure = nil }
            }
        }
    }
}
