// The value is kept in the model, where nobody looks at it.
import Foundation
import HealthKit

struct BleedingDay {
    let date: Date
    let strength: Int
    let isFirst: Bool
}

final class CycleHistory {
    private let store: HKHealthStore
    private(set) var days: [BleedingDay] = []

    init(store: HKHealthStore) { self.store = store }

    func load(_ recent: NSPredicate, done: @escaping () -> Void) {
        guard let type = HKObjectType.categoryType(forIdentifier: .menstrualFlow) else { return }
        let query = HKSampleQuery(  // finds no-flow
            sampleType: type, predicate: recent, limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { [weak self] _, samples, _ in
            let flow = samples as? [HKCategorySample] ?? []  // finds error-as-zero
            let days = flow.map {
                BleedingDay(
                    date: $0.startDate, strength: $0.value,
                    isFirst: $0.metadata?[HKMetadataKeyMenstrualCycleStart] as? Bool ?? false)
            }
            DispatchQueue.main.async {
                self?.days = days
                done()
            }
        }
        store.execute(query)
    }

    func cycleLengths() -> [Int] {
        let starts = days.filter(\.isFirst).map(\.date)
        return zip(starts, starts.dropFirst()).map {
            Calendar.current.dateComponents([.day], from: $0, to: $1).day ?? 0
        }
    }
}
