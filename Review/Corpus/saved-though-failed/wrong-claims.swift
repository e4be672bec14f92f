// "Saved" is said whatever became of the save.
import HealthKit
import SwiftUI

@MainActor final class EntryModel: ObservableObject {
    @Published var isSaved = false
    @Published var status = ""
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func save(_ sample: HKQuantitySample) {
        store.save(sample) { _, _ in }
        isSaved = true  // finds saved-though-failed
    }

    func saveLater(_ sample: HKQuantitySample) {
        store.save(sample) { _, error in
            if let error { print("not saved: \(error)") }
            DispatchQueue.main.async {
                self.status = "Saved to Health"  // finds saved-though-failed
            }
        }
    }

    func saveAwaited(_ sample: HKQuantitySample) async {
        try? await store.save(sample)
        isSaved = true  // finds saved-though-failed
    }

    func add(_ sample: HKQuantitySample, _ completion: @escaping (Bool) -> Void) {
        store.save(sample) { success, error in
            if !success { NSLog("%@", String(describing: error)) }
            completion(true)  // finds saved-though-failed
        }
    }

    private func write(_ sample: HKQuantitySample) async {
        do {
            try await store.save(sample)  // finds saved-though-failed
        } catch {
            print(error)
        }
    }

    func log(_ sample: HKQuantitySample) async {
        await write(sample)
        isSaved = true
    }
}

struct WeightSheet: View {
    @Environment(\.dismiss) private var dismiss
    let healthStore: HKHealthStore
    let weight: Double

    var body: some View {
        Button("Save") {
            Task {
                let sample = HKQuantitySample(
                    type: HKQuantityType(.bodyMass),
                    quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: weight),
                    start: .now, end: .now)
                do {
                    try await healthStore.save(sample)
                } catch {
                    print("weight: \(error.localizedDescription)")
                }
                dismiss()  // finds saved-though-failed
            }
        }
    }
}

final class DiaryWriter {
    private let healthStore: HKHealthStore
    private let defaults = UserDefaults.standard
    weak var delegate: (any DiaryWriterDelegate)?

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    func save(_ sample: HKSample, completion: @escaping ((any Error)?) -> Void) {
        healthStore.save(sample) { success, error in
            if !success { print("diary: \(String(describing: error))") }
            completion(nil)  // finds saved-though-failed
        }
    }

    func export(_ samples: [HKSample]) {
        healthStore.save(samples) { [weak self] _, error in
            if let error { print(error) }
            self?.defaults.set(true, forKey: "diaryExported")  // finds saved-though-failed
        }
    }

    func record(_ workout: HKWorkout) {
        healthStore.save(workout) { _, _ in
            self.delegate?.diaryWriterDidSave(self)  // finds saved-though-failed
        }
    }

    func end(_ builder: HKWorkoutBuilder) {
        builder.finishWorkout { workout, error in
            if let error { print(error) }
            WKInterfaceDevice.current().play(.success)  // finds saved-though-failed
        }
    }

    /// Only worth a note: nothing is said at all.
    func quietly(_ sample: HKSample) async {
        try? await healthStore.save(sample)  // finds saved-though-failed
    }
}

protocol DiaryWriterDelegate: AnyObject {
    func diaryWriterDidSave(_ writer: DiaryWriter)
}
