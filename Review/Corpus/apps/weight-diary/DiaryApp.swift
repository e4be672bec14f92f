// Entry of a weight diary whose entries are in Health and in SwiftData.
import HealthKit
import SwiftData
import SwiftUI

@main
struct DiaryApp: App {
    private let container: ModelContainer
    @State private var access: HealthAccess

    init() {
        do {
            container = try ModelContainer(for: Entry.self, AnchorRecord.self)
        } catch {
            preconditionFailure("no database: \(error)")
        }
        _access = State(initialValue: HealthAccess(store: HKHealthStore()))
    }

    var body: some Scene {
        WindowGroup {
            if HKHealthStore.isHealthDataAvailable() {
                DiaryView(access: access)
            } else {
                ContentUnavailableView("No Health on this device", systemImage: "heart.slash")
            }
        }
        .modelContainer(container)
    }
}
