import Foundation
import HealthEngine
public import OpenHealthKit

extension ScheduledType {
    /// HealthKit's type.
    public var sampleType: HKSampleType {
        switch self {
        case .bodyMass: HKQuantityType(.bodyMass)
        case .stepCount: HKQuantityType(.stepCount)
        case .heartRate: HKQuantityType(.heartRate)
        case .sleepAnalysis: HKCategoryType(.sleepAnalysis)
        }
    }

    /// The type of an identifier; nil for one that no schedule uses.
    public init?(identifier: String) {
        guard let type = Self.allCases.first(where: { $0.sampleType.identifier == identifier })
        else { return nil }
        self = type
    }

    /// How long a sample lasts, in seconds.
    var duration: TimeInterval {
        switch self {
        case .bodyMass, .heartRate: 0
        case .stepCount: 60
        case .sleepAnalysis: 1800
        }
    }

    /// The unit of its values here; nil for a category.
    public var unit: HKUnit? {
        switch self {
        case .bodyMass: .gramUnit(with: .kilo)
        case .stepCount: .count()
        case .heartRate: .count().unitDivided(by: .minute())
        case .sleepAnalysis: nil
        }
    }

    /// The value of a version of a sample: no two versions of one have the same.
    func value(number: Int, version: Int) -> Double {
        switch self {
        case .bodyMass: 60 + Double(number % 50) + Double(version) / 8
        case .stepCount: Double(100 + number * 16 + version)
        case .heartRate: Double(60 + number % 50) + Double(version) / 4
        case .sleepAnalysis: Double((number + version) % 6)
        }
    }
}

extension ScheduledWriter {
    /// The source of what it saves.
    public var identity: AppIdentity {
        switch self {
        case .app: AppIdentity("com.example.diary", name: "Diary", version: "1.0")
        case .phone: .phone(named: "Phone")
        case .watch: .watch(named: "Watch")
        case .other: AppIdentity("com.example.scale", name: "Scale", version: "2.1")
        }
    }
}
