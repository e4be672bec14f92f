// Fixed windows, dates that a person chose, and last-sync dates that are only shown.
import HealthKit
import SwiftUI

struct WindowReader {
    let store: HKHealthStore

    func lastQuarter() async throws -> [HKQuantitySample] {
        let start = Calendar.current.date(byAdding: .day, value: -90, to: .now) ?? .now
        let predicate = HKQuery.predicateForSamples(withStart: start, end: .now)
        return try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: HKQuantityType(.bodyMass), predicate: predicate)
            ],
            sortDescriptors: []
        ).result(for: store)
    }

    func sinceProgrammeStart(completion: @escaping ([HKSample]) -> Void) {
        let start = UserDefaults.standard.object(forKey: "challengeStart") as? Date ?? Date()
        let query = HKSampleQuery(
            sampleType: .workoutType(),
            predicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }

    func during(_ workout: HKWorkout) -> NSPredicate {
        HKQuery.predicateForSamples(withStart: workout.startDate, end: workout.endDate)
    }

    func today() -> NSPredicate {
        HKQuery.predicateForSamples(
            withStart: Calendar.current.startOfDay(for: .now), end: nil, options: .strictStartDate)
    }
}

struct RangePicker: View {
    @State private var start = Date.now
    @AppStorage("lastSync") private var lastSync = 0.0
    let load: (NSPredicate) -> Void

    var body: some View {
        Form {
            DatePicker("From", selection: $start)
            Text("Synced \(Date(timeIntervalSince1970: lastSync), style: .relative) ago")
            Button("Load") {
                load(HKQuery.predicateForSamples(withStart: start, end: .now))
                lastSync = Date.now.timeIntervalSince1970
            }
        }
    }
}
