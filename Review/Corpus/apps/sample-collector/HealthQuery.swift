// A property wrapper for views: the samples of a type in a range, kept up to date.
import HealthKit
import SwiftUI

@MainActor
@propertyWrapper
public struct HealthQuery: @MainActor DynamicProperty {
    @State private var model: Model
    @Environment(\.healthStore) private var store

    public init(_ type: HKQuantityType, days: Int) {
        _model = State(initialValue: Model(type: type, days: days))
    }

    public var wrappedValue: [HKQuantitySample] { model.samples }

    public func update() {
        model.start(store)
    }

    @MainActor
    @Observable
    final class Model {
        private(set) var samples: [HKQuantitySample] = []
        private let type: HKQuantityType
        private let days: Int
        @ObservationIgnored private var task: Task<Void, Never>?

        init(type: HKQuantityType, days: Int) {
            self.type = type
            self.days = days
        }

        func start(_ store: HKHealthStore?) {
            guard let store, task == nil else { return }
            let start = Calendar.current.date(byAdding: .day, value: -days, to: .now)
            let predicate = HKQuery.predicateForSamples(withStart: start, end: nil)
            let descriptor = HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: type, predicate: predicate)], anchor: nil)
            task = Task { [weak self] in
                do {
                    for try await update in descriptor.results(for: store) {
                        let gone = Set(update.deletedObjects.map(\.uuid))
                        self?.samples.removeAll { gone.contains($0.uuid) }
                        self?.samples.append(contentsOf: update.addedSamples)
                    }
                } catch {
                    self?.task = nil
                }
            }
        }

        isolated deinit {
            task?.cancel()
        }
    }
}

extension EnvironmentValues {
    @Entry public var healthStore: HKHealthStore? =
        HKHealthStore.isHealthDataAvailable() ? HKHealthStore() : nil
}
