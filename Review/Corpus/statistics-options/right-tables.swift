// Options that suit some of the types that a table or the callers give, so that one can't tell.
import HealthKit

enum Figure: CaseIterable {
    case steps, pulse
    var identifier: HKQuantityTypeIdentifier { self == .steps ? .stepCount : .heartRate }
    var options: HKStatisticsOptions { self == .steps ? .cumulativeSum : .discreteAverage }
}

struct FigureReader {
    let store: HKHealthStore

    func read(_ figure: Figure, _ range: NSPredicate) -> HKStatisticsQuery {
        HKStatisticsQuery(
            quantityType: HKQuantityType(figure.identifier), quantitySamplePredicate: range,
            options: figure.options
        ) { _, _, _ in }
    }

    func read(
        _ identifier: HKQuantityTypeIdentifier, _ options: HKStatisticsOptions, _ range: NSPredicate
    ) -> HKStatisticsQuery {
        HKStatisticsQuery(
            quantityType: HKQuantityType(identifier), quantitySamplePredicate: range,
            options: options
        ) { _, _, _ in }
    }

    func all(_ range: NSPredicate) -> [HKStatisticsQuery] {
        [read(.stepCount, .cumulativeSum, range), read(.heartRate, .discreteAverage, range)]
    }

    func steps(_ range: NSPredicate) -> HKStatisticsQuery {
        let type = HKQuantityType(Figure.steps.identifier)
        return HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: range, options: .cumulativeSum
        ) { _, _, _ in }
    }
}
