// Read only, or without what can't be shared.
import HealthKit

public enum Figure: String, CaseIterable {
    case steps, exercise

    public var quantityType: HKQuantityType {
        switch self {
        case .steps: return HKQuantityType(.stepCount)
        case .exercise: return HKQuantityType(.appleExerciseTime)
        }
    }

    var isWritable: Bool { self != .exercise }
}

public actor FigureReader {
    private let store = HKHealthStore()

    public func requestAuthorization(for figures: [Figure]) async throws {
        let types = Set(figures.map(\.quantityType))
        try await store.requestAuthorization(toShare: [], read: types)
    }

    public func requestBoth(for figures: [Figure]) async throws {
        let shared = Set(figures.filter(\.isWritable).map(\.quantityType))
        try await store.requestAuthorization(
            toShare: shared, read: Set(figures.map(\.quantityType)))
    }
}
