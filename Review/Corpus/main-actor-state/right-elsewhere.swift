// Closures whose queue nobody here can tell, stores that are no health stores, locals of the same name.
import Combine
import HealthKit
import SwiftUI

final class Wrapped: ObservableObject {
    @Published var steps = 0.0
    @Published var title = ""
    private var cache = NoteStore()
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func custom(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.height), predicate: range, limit: 1, sortDescriptors: nil
        ) { [weak self] _, samples, _ in
            onMain { self?.steps = Double(samples?.count ?? 0) }
            Future<Int, Never> { $0(.success(1)) }
                .receive(on: DispatchQueue.main)
                .sink { self?.steps = Double($0) }
                .cancel()
        }
        store.execute(query)
    }

    func shadowed(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.height), predicate: range, limit: 1, sortDescriptors: nil
        ) { _, samples, _ in
            var steps = 0.0
            steps += Double(samples?.count ?? 0)
            print(steps)
        }
        store.execute(query)
    }

    func saveNote() {
        cache.save(title) { saved, error in
            self.title = saved ? "" : "\(String(describing: error))"
        }
    }

    func checked(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.height), predicate: range, limit: 1, sortDescriptors: nil
        ) { _, _, _ in self.show(1) }
        store.execute(query)
    }

    private func show(_ value: Double) {
        guard Thread.isMainThread else { return DispatchQueue.main.async { self.show(value) } }
        steps = value
    }

    @MainActor private func set(_ value: Double) { steps = value }
}

struct NoteStore {
    func save(_ text: String, completion: @escaping (Bool, (any Error)?) -> Void) {
        completion(!text.isEmpty, nil)
    }
}

final class Answering {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    /// Answers on the main queue, but for the early way out, which its callers can't know.
    func count(_ range: NSPredicate, completion: @escaping (Int) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.height), predicate: range, limit: 1, sortDescriptors: nil
        ) { _, samples, _ in
            guard let samples else { return completion(0) }  // finds error-as-zero
            DispatchQueue.main.async { completion(samples.count) }
        }
        store.execute(query)
    }
}

struct CountView: View {
    @State private var count = 0
    let answering: Answering
    let range: NSPredicate

    var body: some View {
        Text("\(count)").onAppear { answering.count(range) { count = $0 } }
    }
}
