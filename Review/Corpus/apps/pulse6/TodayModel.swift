import HealthKit
import Observation
import SwiftUI

@Observable
@MainActor
final class TodayModel {

    var steps: [DayValue] = []
    var variability: [DayValue] = []
    var rings: [HKActivitySummary] = []
    var readiness: Double = 0
    var message: String?

    @ObservationIgnored private let gateway: HealthGateway
    @ObservationIgnored private let store = HKHealthStore()
    @ObservationIgnored private var ringQuery: HKActivitySummaryQuery?

    init(gateway: HealthGateway = .shared) {
        self.gateway = gateway
    }

    func appear() async {
        do {
            try await gateway.authorize()
            async let steps = gateway.dailyTotals(.stepCount, unit: .count(), days: 7)
            async let variability = gateway.dailyTotals(
                .heartRateVariabilitySDNN, unit: .secondUnit(with: .milli), days: 30)
            self.steps = try await steps
            self.variability = try await variability
            readiness = score()
        } catch HealthGateway.Failure.unavailable {
            message = "Health isn't available on this device."
        } catch {
            message = error.localizedDescription
        }
    }

    func followRings() {
        let calendar = Calendar.current
        var components = calendar.dateComponents([.era, .year, .month, .day], from: .now)
        components.calendar = calendar
        let predicate = HKQuery.predicateForActivitySummary(with: components)
        let query = HKActivitySummaryQuery(predicate: predicate) { [weak self] _, summaries, _ in
            guard let summaries else { return }
            Task { @MainActor in self?.rings = summaries }
        }
        query.updateHandler = { [weak self] _, summaries, _ in
            Task { @MainActor [weak self] in
                self?.rings = summaries ?? []
            }
        }
        store.execute(query)
        ringQuery = query
    }

    func unfollowRings() {
        guard let ringQuery else { return }
        store.stop(ringQuery)
        self.ringQuery = nil
    }

    private func score() -> Double {
        guard let last = variability.last?.value, variability.count > 5 else { return 0 }
        let mean = variability.map(\.value).reduce(0, +) / Double(variability.count)
        return min(max(last / mean, 0), 2) / 2
    }
}

struct TodayView: View {
    @State private var model = TodayModel()

    var body: some View {
        List {
            if let message = model.message { Text(message) }
            Section("Steps") {
                ForEach(model.steps) { day in
                    LabeledContent(day.day.formatted(date: .abbreviated, time: .omitted)) {
                        Text(day.value, format: .number)
                    }
                }
            }
            Section("Readiness") { Gauge(value: model.readiness) { Text("Readiness") } }
        }
        .task { await model.appear() }
        .onAppear { model.followRings() }
        .onDisappear { model.unfollowRings() }
    }
}
