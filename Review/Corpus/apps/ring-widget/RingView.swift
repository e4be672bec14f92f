import HealthKit
import SwiftUI
import WidgetKit

struct RingView: View {
    let entry: RingEntry

    var body: some View {
        ZStack {
            ring(entry.move, .red, 0)
            ring(entry.exercise, .green, 12)
            ring(entry.stand, .cyan, 24)
            Text(entry.steps, format: .number).font(.caption2)
        }
    }

    private func ring(_ value: Double, _ color: Color, _ inset: CGFloat) -> some View {
        Circle()
            .trim(from: 0, to: min(value, 1))
            .stroke(color, style: StrokeStyle(lineWidth: 8, lineCap: .round))
            .rotationEffect(.degrees(-90))
            .padding(inset)
    }
}

@main
struct RingWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: "Ring", provider: RingProvider()) { RingView(entry: $0) }
            .configurationDisplayName("Rings")
    }
}

@Observable
final class RingAppModel {
    private let store = HKHealthStore()
    var updated: Date?
    private var query: HKObserverQuery?

    func start() {
        guard query == nil else { return }
        let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) { [weak self] _, done, _ in
            WidgetCenter.shared.reloadAllTimelines()
            self?.updated = .now // finds main-actor-state
            done()
        }
        self.query = query
        store.execute(query)
        store.enableBackgroundDelivery(for: HKQuantityType(.stepCount), frequency: .hourly) { _, _ in }
    }

    func stop() {
        query.map { store.stop($0) }
        query = nil
    }
}
