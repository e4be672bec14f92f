// Options that don't suit types from tables of constants, lists and functions.
import HealthKit

enum Vital: CaseIterable {
    case pulse, breathing
    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .pulse: return .heartRate
        case .breathing: return .respiratoryRate
        }
    }
}

struct VitalReader {
    let store: HKHealthStore
    static let counters: [String: HKQuantityTypeIdentifier] = [
        "steps": .stepCount, "flights": .flightsClimbed,
    ]

    func sum(_ vital: Vital, _ range: NSPredicate) -> HKStatisticsQuery {
        HKStatisticsQuery(
            quantityType: HKQuantityType(vital.identifier), quantitySamplePredicate: range,
            options: .cumulativeSum  // finds statistics-options
        ) { _, _, _ in }
    }

    func averages(_ range: NSPredicate) -> [HKStatisticsQuery] {
        Self.counters.values.map { identifier in
            let type: HKQuantityType = .quantityType(forIdentifier: identifier)!
            return HKStatisticsQuery(
                quantityType: type, quantitySamplePredicate: range,
                options: .discreteAverage  // finds statistics-options
            ) { _, _, _ in }
        }
    }

    func oxygen(_ range: NSPredicate) -> HKStatisticsQuery {
        func total(_ identifier: HKQuantityTypeIdentifier) -> HKStatisticsQuery {
            HKStatisticsQuery(
                quantityType: .init(identifier), quantitySamplePredicate: range,
                options: .cumulativeSum  // finds statistics-options
            ) { _, _, _ in }
        }
        return total(.oxygenSaturation)
    }

    func pairs(_ range: NSPredicate) -> [HKStatisticsQuery] {
        var all: [HKStatisticsQuery] = []
        for (name, identifier) in [("mass", HKQuantityTypeIdentifier.bodyMass), ("height", .height)] {
            print(name)
            let query = HKStatisticsQuery(
                quantityType: HKQuantityType(identifier), quantitySamplePredicate: range,
                options: [.cumulativeSum]  // finds statistics-options
            ) { _, _, _ in }
            all.append(query)
        }
        return all
    }
}
