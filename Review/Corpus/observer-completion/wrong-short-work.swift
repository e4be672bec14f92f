// Observers that start something short and don't wait for it: worth a note.
import HealthKit
import UserNotifications

@MainActor
final class ShortWork {
    private let store: HKHealthStore
    private let climbed: HKQuantityType
    private var flights = 0.0

    init(store: HKHealthStore, climbed: HKQuantityType) {
        self.store = store
        self.climbed = climbed
    }

    func start() {
        let reminding = HKObserverQuery(sampleType: climbed, predicate: nil) { _, done, _ in
            Task { await Self.remind() }
            done()  // finds observer-completion
        }
        let refreshing = HKObserverQuery(sampleType: climbed, predicate: nil) { [weak self] _, done, _ in
            Task { await self?.refresh() }
            done()  // finds observer-completion
        }
        store.execute(reminding)
        store.execute(refreshing)
        store.enableBackgroundDelivery(for: climbed, frequency: .hourly) { _, error in
            if let error { print(error) }
        }
    }

    nonisolated static func remind() async {
        let content = UNMutableNotificationContent()
        content.title = "More flights"
        try? await UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: "flights", content: content, trigger: nil))
    }

    func refresh() async {
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: climbed), options: .cumulativeSum)
        guard let result = try? await descriptor.result(for: store) else { return }
        flights = result.sumQuantity()?.doubleValue(for: .count()) ?? 0
    }
}
