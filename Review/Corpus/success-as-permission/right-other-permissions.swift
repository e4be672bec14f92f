// Permissions of other frameworks, whose flag is the answer; and other successes.
import EventKit
import HealthKit
import UserNotifications

@MainActor
final class OnboardingModel: ObservableObject {
    @Published var notificationsAuthorized = false
    @Published var isSaved = false
    @Published var shareStatus = HKAuthorizationStatus.notDetermined
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func askNotifications() {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge]) {
            granted, _ in
            DispatchQueue.main.async {
                self.notificationsAuthorized = granted
            }
        }
    }

    func askNotificationsAsync() async throws {
        notificationsAuthorized = try await UNUserNotificationCenter.current()
            .requestAuthorization(options: [.alert])
    }

    func askCalendar(_ events: EKEventStore) async throws -> Bool {
        try await events.requestFullAccessToEvents()
    }

    func save(_ sample: HKQuantitySample) {
        store.save(sample) { success, _ in
            Task { @MainActor in self.isSaved = success }
        }
    }

    // What may be written is told by the status, not by the success of asking.
    func askToWrite() async throws {
        let weight = HKQuantityType(.bodyMass)
        try await store.requestAuthorization(toShare: [weight], read: [])
        shareStatus = store.authorizationStatus(for: weight)
    }
}
