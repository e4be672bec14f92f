// The queue followed: into functions that handlers call, and into completions they call.
import HealthKit
import SwiftUI
import UIKit

final class StepReader {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func read(_ range: NSPredicate, completion: @escaping (Double) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
            options: .cumulativeSum
        ) { _, statistics, _ in
            completion(statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0)  // finds error-as-zero
        }
        store.execute(query)
    }

    func readOnMain(_ range: NSPredicate, completion: @escaping (Double) -> Void) {
        read(range) { steps in
            DispatchQueue.main.async { completion(steps) }
        }
    }
}

struct StepsTile: View {
    @State private var steps = 0.0
    let reader: StepReader
    let today: NSPredicate

    var body: some View {
        Text("\(steps)").onAppear {
            reader.read(today) { steps = $0 }
        }
        .refreshable { reader.readOnMain(today) { steps = $0 } }
    }
}

final class TileModel: ObservableObject {
    @Published private(set) var steps = 0.0
    @Published private(set) var streak = 0
    private let reader = StepReader(store: HKHealthStore())

    func load(_ today: NSPredicate) {
        reader.read(today) { self.steps = $0 }  // finds main-actor-state
        reader.readOnMain(today) { self.streak = Int($0) }
    }
}

final class GlucoseModel: ObservableObject {
    @Published private(set) var readings: [HKSample] = []
    @Published private(set) var isLoading = false
    let objectStore: HKHealthStore

    init(store: HKHealthStore) { objectStore = store }

    func load(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bloodGlucose), predicate: range, limit: 100,
            sortDescriptors: nil, resultsHandler: received)
        objectStore.execute(query)
    }

    private func received(_ query: HKSampleQuery, _ samples: [HKSample]?, _ error: (any Error)?) {
        guard let samples else { return fail() }
        for sample in samples {
            readings.append(sample)  // finds main-actor-state
        }
        withAnimation { self.isLoading = false }
    }

    private func fail() {
        isLoading = false  // finds main-actor-state
    }

    func tasks(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bloodGlucose), predicate: range, limit: 100,
            sortDescriptors: nil
        ) { [weak self] _, samples, _ in
            guard let strong = self else { return }
            DispatchQueue.global().async { strong.readings = samples ?? [] }  // finds main-actor-state
            Task { strong.isLoading = false }
            Task.detached { await strong.reload() }
        }
        objectStore.execute(query)
    }

    private func reload() async {}
}

final class GlucoseScreen: UIViewController {
    private let label = UILabel()
    private let model: GlucoseModel

    init(model: GlucoseModel) {
        self.model = model
        super.init(nibName: nil, bundle: nil)
    }

    func delete(_ sample: HKSample) {
        model.objectStore.delete(sample) { success, error in
            self.label.text = success ? "Deleted" : "Not deleted"  // finds main-actor-state
        }
        let healthStore = model.objectStore
        healthStore.delete(sample) { [self] success, error in
            label.isHidden = !success  // finds main-actor-state
            if !success { present(UIViewController(), animated: true) }
        }
    }
}

final class Titles: UIViewController {
    private let reader: StepReader
    private let model: GlucoseModel

    init(reader: StepReader, model: GlucoseModel) {
        self.reader = reader
        self.model = model
        super.init(nibName: nil, bundle: nil)
    }

    func load(_ today: NSPredicate) {
        reader.read(today) { [unowned self] steps in
            self.title = "\(steps)"  // finds main-actor-state
            view.backgroundColor = .systemBackground
            model.objectWillChange.send()
        }
    }
}
