// Keys of anchors that several types have in common.
import HealthKit

final class ClassKeys {
    let defaults: UserDefaults

    init(defaults: UserDefaults) { self.defaults = defaults }

    private func key(for type: HKSampleType) -> String {
        "anchor.\(String(describing: Swift.type(of: type)))"  // finds shared-anchor
    }

    func anchor(for type: HKSampleType) -> HKQueryAnchor? {
        guard let data = defaults.data(forKey: key(for: type)) else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    func forgetAnchor(of quantityType: HKQuantityType) {
        defaults.removeObject(forKey: "anchor-\(type(of: quantityType))")  // finds shared-anchor
    }
}

enum GroupedVital: String, CaseIterable {
    case systolic, diastolic, oxygen

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .systolic: return .bloodPressureSystolic
        case .diastolic: return .bloodPressureDiastolic
        case .oxygen: return .oxygenSaturation
        }
    }

    var group: String {
        switch self {
        case .systolic, .diastolic: return "pressure"
        case .oxygen: return "oxygen"
        }
    }
}

struct GroupKeys {
    func anchorKey(_ vital: GroupedVital) -> String {
        "sync.anchor.\(vital.group)"  // finds shared-anchor
    }
}
