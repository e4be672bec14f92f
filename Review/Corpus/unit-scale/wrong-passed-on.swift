// Fractions that become percentages after functions, handlers, members, dictionaries and tables.
import HealthKit
import SwiftUI

final class OxygenReader {
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

    func fetch(_ id: HKQuantityTypeIdentifier, _ unit: HKUnit, done: @escaping (Double?) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(id), quantitySamplePredicate: nil, options: .mostRecent
        ) { _, statistics, error in
            let value = statistics?.mostRecentQuantity()?.doubleValue(for: unit)
            done(error == nil ? value : nil)
        }
        store.execute(query)
    }
}

@MainActor
@Observable
final class OxygenModel {
    private let reader = OxygenReader()
    var saturation: Double?
    var bodyFatShare = 0.0
    var pulse: Double?

    func load() async {
        saturation = await reader.latest(.oxygenSaturation, unit: .percent())
        pulse = await reader.latest(.heartRate, unit: HKUnit(from: "count/min"))
    }

    func loadFat() {
        reader.fetch(.bodyFatPercentage, HKUnit.percent()) { value in
            Task { @MainActor in self.bodyFatShare = value ?? 0 }  // finds error-as-zero
        }
    }

    var isLow: Bool { (saturation ?? 1) < 92 }  // finds unit-scale
}

struct OxygenView: View {
    let model: OxygenModel

    var body: some View {
        VStack {
            if let saturation = model.saturation {
                Text("\(Int(saturation))%")  // finds unit-scale
                ProgressView(value: saturation, total: 100)  // finds unit-scale
            }
            Text("\(model.bodyFatShare, specifier: "%.1f") %")  // finds unit-scale
            Text(String(format: "%.0f%% fat at %.0f bpm", model.bodyFatShare, model.pulse ?? 0))  // finds unit-scale
            if let pulse = model.pulse { Text("\(pulse) bpm") }
        }
    }
}

enum Formats {
    static func share(_ value: Double) -> String {
        String(format: "%.1f", value) + "%"  // finds unit-scale
    }

    static func rating(_ value: Double) -> String {
        switch value {  // finds unit-scale
        case 95...: return "good"
        case 90..<95: return "fair"
        default: return "low"
        }
    }
}

struct WalkingReport {
    func lines(_ samples: [HKQuantitySample]) -> [String] {
        samples.map { Formats.share($0.quantity.doubleValue(for: .percent())) }
    }

    func ratings(_ sample: HKQuantitySample) -> String {
        Formats.rating(sample.quantity.doubleValue(for: .percent()))
    }

    func average(_ samples: [HKQuantitySample]) -> String {
        let values = samples.map { $0.quantity.doubleValue(for: .percent()) }
        guard !values.isEmpty else { return "" }
        let average = values.reduce(0, +) / Double(values.count)
        return "Asymmetry: \(average.formatted())%"  // finds unit-scale
    }

    func channel(_ sample: HKQuantitySample) -> [String: Any] {
        let value = sample.quantity.doubleValue(for: HKUnit.percent())
        return [
            "date": sample.endDate.timeIntervalSince1970,
            "spo2Percent": value,  // finds unit-scale
        ]
    }

    func row(_ sample: HKQuantitySample) -> NSDictionary {
        [
            "value": sample.quantity.doubleValue(for: .percent()),  // finds unit-scale
            "unit": "%",
        ]
    }

    func variability(_ sample: HKQuantitySample) -> String {
        let seconds = sample.quantity.doubleValue(for: .secondUnit(with: .milli))
        return "\(seconds.rounded()) s"  // finds unit-scale
    }

    func distance(_ statistics: HKStatistics) -> String {
        let walked = statistics.sumQuantity()?.doubleValue(for: .meter()) ?? 0
        return "\(walked) km"  // finds unit-scale
    }
}

enum BodyMetric: CaseIterable {
    case fat, mass, variability

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .fat: return .bodyFatPercentage
        case .mass: return .bodyMass
        case .variability: return .heartRateVariabilitySDNN
        }
    }

    var unit: HKUnit {
        switch self {
        case .fat: return .percent()
        case .mass: return .gramUnit(with: .kilo)
        case .variability: return HKUnit(from: "s")  // finds unit-scale
        }
    }

    func text(_ value: Double) -> String {
        switch self {
        case .fat: return String(format: "%.1f %%", value)  // finds unit-scale
        case .mass: return String(format: "%.1f kg", value)
        case .variability: return String(format: "%.0f ms", value)
        }
    }
}

struct Saver {
    let store: HKHealthStore

    func save(_ id: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit) async throws {
        let sample = HKQuantitySample(
            type: HKQuantityType(id), quantity: HKQuantity(unit: unit, doubleValue: value),
            start: .now, end: .now)
        try await store.save(sample)
    }

    func seed() async throws {
        try await save(.oxygenSaturation, 98, .percent())  // finds unit-scale
        try await save(.bodyFatPercentage, 0.22, .percent())
        try await save(.bodyMass, 71, .gramUnit(with: .kilo))
    }

    func asymmetry() -> HKQuantity {
        HKQuantity(unit: HKUnit.percent(), doubleValue: 4.5)  // finds unit-scale
    }
}

/// The unit is wrong although the file calculates with minutes and hours.
struct Rates {
    static let day = 24 * 60 * 60

    func breaths(_ sample: HKQuantitySample) -> Double {
        sample.quantity.doubleValue(for: .count().unitDivided(by: .second()))  // finds unit-scale
    }
}
