// Anchors by type in UserDefaults, with a version of the format.
import Foundation
import HealthKit

public struct AnchorStorage: @unchecked Sendable {
    private let defaults: UserDefaults
    private static let version = 2

    public init(defaults: UserDefaults = .standard) {
        self.defaults = defaults
    }

    private func key(_ type: HKSampleType) -> String {
        "collector.v\(Self.version).\(type.identifier)"
    }

    public func anchor(for type: HKSampleType) -> HKQueryAnchor? {
        guard let data = defaults.data(forKey: key(type)) else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    public func set(_ anchor: HKQueryAnchor, for type: HKSampleType) throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: anchor, requiringSecureCoding: true)
        defaults.set(data, forKey: key(type))
    }

    public func reset(_ type: HKSampleType) {
        defaults.removeObject(forKey: key(type))
    }

    public func resetAll() {
        for key in defaults.dictionaryRepresentation().keys where key.hasPrefix("collector.") {
            defaults.removeObject(forKey: key)
        }
    }
}
