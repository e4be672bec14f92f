// Fractions that are multiplied, formatted as percentages or kept, on every way.
import HealthKit
import SwiftUI

final class SaturationReader {
    private let store = HKHealthStore()

    func latest(_ id: HKQuantityTypeIdentifier, unit: HKUnit) async -> Double? {
        await withCheckedContinuation { continuation in
            let newest = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
            let query = HKSampleQuery(
                sampleType: HKQuantityType(id), predicate: nil, limit: 1, sortDescriptors: [newest]
            ) { _, samples, _ in
                let sample = samples?.first as? HKQuantitySample
                continuation.resume(returning: sample?.quantity.doubleValue(for: unit))
            }
            store.execute(query)
        }
    }

    func scaled(_ sample: HKQuantitySample, _ unit: HKUnit) -> Double {
        let value = sample.quantity.doubleValue(for: unit)
        return unit == .percent() ? value * 100 : value
    }

    func text(_ sample: HKQuantitySample) -> String { "\(scaled(sample, .percent()))%" }
}

@MainActor
@Observable
final class SaturationModel {
    private let reader = SaturationReader()
    var saturation: Double?
    var fatShare: Double?
    var pulse: Double?

    func load() async {
        saturation = await reader.latest(.oxygenSaturation, unit: .percent()).map { $0 * 100 }
        fatShare = await reader.latest(.bodyFatPercentage, unit: .percent())
        pulse = await reader.latest(.heartRate, unit: HKUnit(from: "count/min"))
    }

    var fatPercent: Double { (fatShare ?? 0) * 100 }
}

struct SaturationView: View {
    let model: SaturationModel

    var body: some View {
        VStack {
            if let saturation = model.saturation { Text("\(Int(saturation))%") }
            Text("\(model.fatPercent, specifier: "%.1f") %")
            Text((model.fatShare ?? 0).formatted(.percent))
            Text(model.fatShare ?? 0, format: .percent)
            Text("\(model.pulse ?? 0) bpm, 100% sure")
            ProgressView(value: model.fatShare ?? 0)
        }
    }
}

struct Exports {
    func fields(_ sample: HKQuantitySample) -> [String: Any] {
        let fraction = sample.quantity.doubleValue(for: .percent())
        return ["bodyFatPercentage": fraction, "spo2Percent": fraction * 100]
    }

    func percent(_ value: Double) -> String { String(format: "%.0f%%", value * 100) }

    func line(_ sample: HKQuantitySample) -> String {
        percent(sample.quantity.doubleValue(for: .percent()))
    }

    func variability(_ sample: HKQuantitySample) -> String {
        "\(sample.quantity.doubleValue(for: .secondUnit(with: .milli))) ms"
    }

    func distance(_ statistics: HKStatistics) -> String {
        let walked = statistics.sumQuantity()?.doubleValue(for: .meter()) ?? 0
        return walked < 1000 ? "\(walked) m" : "\(walked / 1000) km"
    }

    func pace(_ workout: HKWorkout) -> String {
        let metres = workout.totalDistance?.doubleValue(for: .meter()) ?? 0
        let seconds = workout.duration
        return "\(seconds / metres * 1000) s, \(Int(seconds) / 60) min, \(metres) of 5 km"
    }

    func saved(_ percent: Double) -> HKQuantity {
        HKQuantity(unit: .percent(), doubleValue: percent / 100)
    }
}

enum ScaledMetric: CaseIterable {
    case fat, mass

    var unit: HKUnit {
        switch self {
        case .fat: return .percent()
        case .mass: return .gramUnit(with: .kilo)
        }
    }

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .fat: return .bodyFatPercentage
        case .mass: return .bodyMass
        }
    }

    var scale: Double { self == .fat ? 100 : 1 }

    func text(_ value: Double) -> String {
        switch self {
        case .fat: return String(format: "%.1f %%", value * scale)
        case .mass: return String(format: "%.1f kg", value * scale)
        }
    }
}
