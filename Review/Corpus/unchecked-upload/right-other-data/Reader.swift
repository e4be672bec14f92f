// An app that shows steps and sends none of them.
import Foundation
import HealthKit

struct StepReader {
    let store: HKHealthStore

    func total(_ statistics: HKStatistics) -> Double {
        statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0
    }
}
