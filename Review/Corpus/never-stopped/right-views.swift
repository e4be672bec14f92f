// SwiftUI views that stop what they start, or let another type keep it.
import HealthKit
import SwiftUI

struct StoppingView: View {
    @State private var query: HKObserverQuery?
    let store: HKHealthStore
    let steps = HKQuantityType(.stepCount)

    var body: some View {
        Text("Steps")
            .onAppear {
                let observer = HKObserverQuery(sampleType: steps, predicate: nil) { _, done, _ in
                    done()
                }
                query = observer
                store.execute(observer)
                store.enableBackgroundDelivery(for: steps, frequency: .hourly) { _, _ in }
            }
            .onDisappear {
                if let query { store.stop(query) }
            }
    }
}

struct OnceView: View {
    let store: HKHealthStore
    let range: NSPredicate

    var body: some View {
        Text("Once").task {
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.bodyMass), predicate: range, limit: 10,
                sortDescriptors: nil
            ) { _, samples, _ in print(samples ?? []) }
            store.execute(query)
        }
    }
}

struct StreamView: View {
    let store: HKHealthStore

    var body: some View {
        Text("Stream").task {
            let weights = HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: HKQuantityType(.bodyMass))], anchor: nil)
            do {
                for try await update in weights.results(for: store) {
                    print(update.addedSamples.count, update.deletedObjects.count)
                }
            } catch {
                print(error)
            }
        }
    }
}
