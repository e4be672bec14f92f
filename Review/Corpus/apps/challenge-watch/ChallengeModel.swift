import Foundation
import HealthKit
import Observation

@MainActor
@Observable
final class ChallengeModel {

    struct Member: Identifiable, Hashable {
        let id: String
        var name: String
        var days: [StepDay]
        var total: Int { days.map(\.steps).reduce(0, +) }
    }

    private(set) var members: [Member] = []
    private(set) var today = 0
    var exerciseMinutes = 0.0
    private let service: any ActivityServicing
    private let store = HKHealthStore()

    init(service: any ActivityServicing) { self.service = service }

    func follow() async {
        for await _ in service.changes() {
            today = (try? await service.steps(on: .now)) ?? today
        }
    }

    var ranking: [Member] { members.sorted { $0.total > $1.total } }

    func loadExercise() {
        let start = Calendar.current.startOfDay(for: .now)
        let predicate = HKQuery.predicateForSamples(withStart: start, end: .now)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.appleExerciseTime), predicate: predicate, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in
            guard let samples = samples as? [HKQuantitySample] else { return }
            let minutes = samples.reduce(0.0) { $0 + $1.quantity.doubleValue(for: .minute()) } // finds summed-samples
            Task { @MainActor in self.exerciseMinutes = minutes }
        }
        store.execute(query)
    }

    func loadStandHours(completion: @escaping (Int) -> Void) {
        let start = Calendar.current.startOfDay(for: .now)
        let query = HKSampleQuery(
            sampleType: HKCategoryType(.appleStandHour),
            predicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            limit: 24, sortDescriptors: nil
        ) { _, samples, _ in
            let stood = (samples as? [HKCategorySample] ?? [])
                .filter { $0.value == HKCategoryValueAppleStandHour.stood.rawValue }
            completion(stood.count)
        }
        store.execute(query)
    }
}
