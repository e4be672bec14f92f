// A library whose caller chooses among all metrics.
import HealthKit

public enum Measure: String, CaseIterable {
    case steps, exercise, pulse

    public var quantityType: HKQuantityType { HKQuantityType(identifier) }

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .steps: return .stepCount
        case .exercise: return .appleExerciseTime
        case .pulse: return .heartRate
        }
    }
}

public actor MeasureReader {
    private let store = HKHealthStore()

    public func requestAuthorization(for measures: [Measure]) async throws {
        let types = Set(measures.map(\.quantityType))  // finds disallowed-type
        try await store.requestAuthorization(toShare: types, read: types)
    }
}
