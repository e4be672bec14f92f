import HealthKit
import SwiftUI

/// How much caffeine is still in the body. Needs single drinks, so samples are right here.
struct CaffeineTimeline {

    let health: HKHealthStore
    var halfLife: TimeInterval = 5 * 3600

    struct Dose {
        let date: Date
        let milligrams: Double
    }

    func doses(before date: Date) async throws -> [Dose] {
        let predicate = HKQuery.predicateForSamples(
            withStart: date.addingTimeInterval(-2 * 86_400), end: date, options: .strictStartDate)
        let ours = HKQuery.predicateForObjects(from: HKSource.default())
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.dietaryCaffeine),
                    predicate: NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, ours]))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: health).map {
            Dose(date: $0.startDate, milligrams: $0.quantity.doubleValue(for: .gramUnit(with: .milli)))
        }
    }

    func level(at date: Date) async throws -> Double {
        try await doses(before: date).reduce(0) { level, dose in
            let passed = date.timeIntervalSince(dose.date)
            return level + dose.milligrams * pow(0.5, passed / halfLife)
        }
    }
}

struct CaffeineView: View {
    let timeline: CaffeineTimeline
    @State private var level: Double?
    @State private var failed = false

    var body: some View {
        Group {
            if let level {
                Text(level, format: .number.precision(.fractionLength(0)))
            } else if failed {
                Text("–")
            } else {
                ProgressView()
            }
        }
        .task {
            do {
                level = try await timeline.level(at: .now)
            } catch {
                failed = true
            }
        }
    }
}
