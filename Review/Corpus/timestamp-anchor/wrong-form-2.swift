import HealthKit
import SwiftUI
struct SyncButton: View {
    let store: HKHealthStore
    let upload: ([HKSample]) async throws -> Void
    @AppStorage("lastSync") private var lastSync = 0.0
    var body: some View {
        Button("Sync") { Task { try? await sync() } }
    }
    func sync() async throws {
        let since = Date(timeIntervalSinceReferenceDate: lastSync)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(
                type: HKQuantityType(.bodyMass),
                predicate: HKQuery.predicateForSamples(withStart: since, end: nil))], // finds timestamp-anchor
            sortDescriptors: []
        ).result(for: store)
        try await upload(samples)
        lastSync = Date().timeIntervalSinceReferenceDate
    }
}
