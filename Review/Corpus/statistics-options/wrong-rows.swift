// Tables of metrics whose options don't suit the type in the same row.
import HealthKit

enum Reading: CaseIterable {
    case steps, distance, breathing, pulse

    var type: HKQuantityType {
        switch self {
        case .steps: return HKQuantityType(.stepCount)
        case .distance: return HKQuantityType(.distanceWalkingRunning)
        case .breathing: return HKQuantityType(.respiratoryRate)
        case .pulse: return HKQuantityType(.heartRate)
        }
    }

    private var isTotal: Bool {
        switch self {
        case .steps, .distance: return true
        case .breathing: return true  // finds statistics-options
        default: return false
        }
    }

    var options: HKStatisticsOptions { isTotal ? .cumulativeSum : .discreteAverage }
}

struct Rows {
    static let all: [(String, HKQuantityTypeIdentifier, HKStatisticsOptions)] = [
        ("steps", .stepCount, .cumulativeSum),
        ("floors", .flightsClimbed, [.discreteAverage, .discreteMax]),  // finds statistics-options
        ("weight", .bodyMass, [.discreteAverage]),
    ]
}
