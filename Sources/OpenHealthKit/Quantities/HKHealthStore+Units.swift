public import Foundation
import HealthEngine
import HealthStorage

extension HKHealthStore {
    func tellUnits(
        for types: Set<HKQuantityType>,
        _ completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
    ) {
        handle { [self] in
            do { completion(try units(for: types), nil) } catch { completion([:], error) }
        }
    }

    /// Why estimates of a type can't be recalibrated: it has none, or nobody here estimates.
    func recalibrationError(of type: HKSampleType) -> HKError {
        type.allowsRecalibrationForEstimates
            ? HKError.absent("Recalibration")
            : HKError(.errorInvalidArgument, "\(type.identifier) has no estimates to recalibrate")
    }

    /// The units in which the person reads types: chosen, else the region's (§9.8).
    func units(for types: Set<HKQuantityType>) throws(HKError) -> [HKQuantityType: HKUnit] {
        let store = try connection.readableStore
        let chosen = try translatingErrors { try store.preferredUnits() }
        let region =
            configuration.region ?? configuration.calendar.locale?.region
            ?? Locale.current.region
        var units: [HKQuantityType: HKUnit] = [:]
        for type in types {
            guard try permission(for: type).isAsked else {
                throw HKError(
                    .errorAuthorizationNotDetermined,
                    "Authorization for \(type.identifier) is not determined: ask with "
                        + "requestAuthorization first." + hint(for: [], [type]))
            }
            let name =
                chosen[type.identifier]
                ?? type.row.flatMap { RegionalUnits.unit(of: $0, region: region?.identifier) }
            units[type] = name.flatMap(KnownUnits.unit)
        }
        return units
    }

    /// Chooses the unit in which the person reads a type, as in the Health app; nil goes back to the
    /// region's. Not Apple's.
    ///
    /// Posts `HKUserPreferencesDidChange`. What is stored stays in the unit it came in.
    ///
    /// - Throws: `HKError.errorInvalidArgument` for a unit that doesn't suit the type.
    public func setPreferredUnit(_ unit: HKUnit?, for type: HKQuantityType) throws {
        if let unit, !type.is(compatibleWith: unit) {
            throw HKError(
                .errorInvalidArgument,
                "\(unit.unitString) is no unit of \(type.identifier).")
        }
        let store = try connection.store
        try translatingErrors {
            try store.setPreferredUnit(unit?.unitString, ofType: type.identifier)
        }
        handle { [self] in
            NotificationCenter.default.post(name: .HKUserPreferencesDidChange, object: self)
        }
    }
}

extension NSNotification.Name {
    /// A person has chosen other units. Posted on a background queue; the object is the
    /// ``HKHealthStore`` the choice was made with.
    public static let HKUserPreferencesDidChange = NSNotification.Name(
        "HKUserPreferencesDidChangeNotification")
}
