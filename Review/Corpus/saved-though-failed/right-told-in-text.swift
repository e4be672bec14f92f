// The model tells in a text of its own that saving failed, and the sheet closes.
import HealthKit
import SwiftUI

actor NightStore {
    private let healthStore = HKHealthStore()

    func add(from start: Date, to end: Date) async throws {
        let sample = HKCategorySample(
            type: HKCategoryType(.sleepAnalysis),
            value: HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue, start: start, end: end)
        try await healthStore.save(sample)
    }
}

@MainActor final class NightModel: ObservableObject {
    @Published var message: String?
    private let store = NightStore()

    func add(from start: Date, to end: Date) async {
        do {
            try await store.add(from: start, to: end)
        } catch {
            message = "Couldn’t save. Allow the app to write sleep in Health."
        }
    }
}

struct AddNight: View {
    @Environment(\.dismiss) private var dismiss
    @ObservedObject var model: NightModel
    @State private var start = Date()

    var body: some View {
        Button("Save") {
            Task {
                await model.add(from: start, to: .now)
                dismiss()
            }
        }
    }
}
