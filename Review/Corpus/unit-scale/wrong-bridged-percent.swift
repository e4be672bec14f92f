// A bridge that reads percentages times 100 and saves them as they come.
import HealthKit

enum BridgedKind: String {
    case steps, oxygen, fat, weight

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .steps: return .stepCount
        case .oxygen: return .oxygenSaturation
        case .fat: return .bodyFatPercentage
        case .weight: return .bodyMass
        }
    }

    var unit: HKUnit {
        switch self {
        case .steps: return .count()
        case .oxygen, .fat: return .percent()
        case .weight: return .gramUnit(with: .kilo)
        }
    }
}

final class BridgedSamples {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func row(_ sample: HKQuantitySample, _ kind: BridgedKind) -> [String: Any] {
        var row: [String: Any] = ["uuid": sample.uuid.uuidString]
        let value = sample.quantity.doubleValue(for: kind.unit)
        row["value"] = kind == .oxygen || kind == .fat ? value * 100 : value
        return row
    }

    func write(_ kind: BridgedKind, value: Double, at date: Date) async throws {
        let quantity = HKQuantity(unit: kind.unit, doubleValue: value)  // finds unit-scale
        let type = HKQuantityType(kind.identifier)
        try await store.save(HKQuantitySample(type: type, quantity: quantity, start: date, end: date))
    }
}
