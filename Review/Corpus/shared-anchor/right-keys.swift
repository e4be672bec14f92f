// Keys of anchors that each type has alone.
import HealthKit

enum KeyedVital: String, CaseIterable {
    case systolic, diastolic

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .systolic: return .bloodPressureSystolic
        case .diastolic: return .bloodPressureDiastolic
        }
    }

    var group: String {
        switch self {
        case .systolic, .diastolic: return "pressure"
        }
    }
}

struct TypeKeys {
    func key(for type: HKSampleType) -> String { "anchor.\(type.identifier)" }

    func anchorKey(_ vital: KeyedVital) -> String { "anchor.\(vital.group).\(vital.rawValue)" }

    func log(_ type: HKSampleType) { print("no data for \(type(of: type))") }
}
