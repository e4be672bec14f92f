// Flow samples that are exported with their value.
import Foundation
import HealthKit

struct FlowRecord: Encodable {
    let date: Date
    let level: Int
}

final class FlowExport {
    private let store: HKHealthStore
    private let flowType = HKCategoryType(.menstrualFlow)

    init(store: HKHealthStore) { self.store = store }

    func records(in period: NSPredicate) async throws -> [FlowRecord] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.categorySample(type: flowType, predicate: period)], sortDescriptors: [])
        return try await descriptor.result(for: store).map {
            FlowRecord(date: $0.startDate, level: $0.value)
        }
    }
}
