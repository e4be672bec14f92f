import HealthKit
import SwiftUI

@main
struct StudyApp: App {

    @State private var collectors: [HealthCollector] = []
    @AppStorage("consented") private var consented = false
    @State private var problem: String?

    private let store = HKHealthStore()

    var body: some Scene {
        WindowGroup {
            Group {
                if consented {
                    List(collectors, id: \.type) { Text($0.type.identifier) }
                } else {
                    Button("Join the study") { Task { await join() } }
                }
            }
            .alert(problem ?? "", isPresented: .constant(problem != nil)) {}
        }
    }

    private func join() async {
        guard HKHealthStore.isHealthDataAvailable() else {
            problem = "Health isn't available on this device."
            return
        }
        do {
            try await store.requestAuthorization(toShare: [], read: Set(LegacyUploader.types))
            consented = true
        } catch {
            problem = error.localizedDescription
        }
    }
}
