// Identifiers from tables of constants and functions that only literals are given to.
import HealthKit

enum Metric: String, CaseIterable {
    case steps = "HKQuantityTypeIdentifierStepCount"
    case pulse = "HKQuantityTypeIdentifierHeartRate"

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .steps: .stepCount
        case .pulse: .heartRate
        }
    }
}

struct Row {
    let key: String
    let identifier: HKQuantityTypeIdentifier
    let raw: String
}

struct TableTypes {
    static let byName: [String: HKQuantityTypeIdentifier] = ["steps": .stepCount, "pulse": .heartRate]
    static let raw = ["steps": "HKQuantityTypeIdentifierStepCount"]
    static let rows = [
        Row(key: "steps", identifier: .stepCount, raw: "HKQuantityTypeIdentifierStepCount"),
        Row(key: "pulse", identifier: .heartRate, raw: "HKQuantityTypeIdentifierHeartRate"),
    ]
    static let pairs = [("steps", "HKQuantityTypeIdentifierStepCount")]

    var metrics: [HKQuantityType] {
        Metric.allCases.map { HKObjectType.quantityType(forIdentifier: $0.identifier)! }
    }

    var rawMetrics: [HKQuantityType] {
        Metric.allCases.map {
            HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: $0.rawValue))!
        }
    }

    var rows: [HKQuantityType] {
        Self.rows.map {
            HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: $0.raw))!
        }
    }

    var pairs: [HKQuantityType] {
        var all: [HKQuantityType] = []
        for (_, raw) in Self.pairs {
            all.append(.quantityType(forIdentifier: .init(rawValue: raw))!)
        }
        return all
    }

    func named(_ name: String) -> HKQuantityType? {
        guard let raw = Self.raw[name] else { return nil }
        return HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: raw))!
    }

    func local() -> [HKQuantityType] {
        func type(_ raw: String) -> HKQuantityType {
            HKQuantityType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: raw))!
        }
        return [type("HKQuantityTypeIdentifierStepCount"), type("HKQuantityTypeIdentifierHeartRate")]
    }
}
