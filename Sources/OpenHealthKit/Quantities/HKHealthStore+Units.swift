public import Foundation
import HealthEngine
import HealthStorage

extension HKHealthStore {
    func fetchPreferredUnits(
        for types: Set<HKQuantityType>,
        _ completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
    ) {
        handle { [self] in
            do { completion(try units(for: types), nil) } catch { completion([:], error) }
        }
    }

    /// The error of a recalibration: the type has no estimates, or recalibration is not available
    /// here.
    func recalibrationError(of type: HKSampleType) -> HKError {
        type.allowsRecalibrationForEstimates
            ? HKError.unavailable("Recalibration")
            : HKError(.errorInvalidArgument, "\(type.identifier) has no estimates to recalibrate")
    }

    /// Returns the display units of types: the person's choice, otherwise the unit of the region
    /// (Semantics §9.8). Types without a known unit are omitted.
    ///
    /// - Throws: `errorAuthorizationNotDetermined` for a type that was never requested,
    ///   `errorDatabaseInaccessible` while the device is locked, or another `HKError` if the store
    ///   cannot be opened or read.
    func units(for types: Set<HKQuantityType>) throws(HKError) -> [HKQuantityType: HKUnit] {
        let store = try connection.readableStore
        let preferred = try translatingErrors { try store.preferredUnits() }
        let region =
            configuration.region ?? configuration.calendar.locale?.region
            ?? Locale.current.region
        var units: [HKQuantityType: HKUnit] = [:]
        for type in types {
            guard try permission(for: type).wasRequested else {
                throw notDetermined(type, missing(read: [type]))
            }
            let name =
                preferred[type.identifier]
                ?? type.row.flatMap { RegionalUnits.unit(of: $0, region: region?.identifier) }
            units[type] = name.flatMap(UnitCache.unit)
        }
        return units
    }

    /// Sets the display unit of a type, as a person does in the Health app. Not part of Apple's
    /// API.
    ///
    /// Posts `HKUserPreferencesDidChange` on a background queue. Stored values keep the unit they
    /// were recorded in.
    ///
    /// - Parameters:
    ///   - unit: The display unit; nil resets it to the unit of the region.
    ///   - type: The quantity type.
    /// - Throws: `HKError.errorInvalidArgument` for a unit that does not suit the type; another
    ///   `HKError` if the store cannot be opened or written.
    public func setPreferredUnit(_ unit: HKUnit?, for type: HKQuantityType) throws {
        if let unit, !type.is(compatibleWith: unit) {
            throw HKError(
                .errorInvalidArgument,
                "The unit \(unit.unitString) doesn't fit \(type.identifier).")
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
    /// The display units have changed. Posted on a background queue; the object is the
    /// ``HKHealthStore`` through which they were changed.
    public static let HKUserPreferencesDidChange = NSNotification.Name(
        "HKUserPreferencesDidChangeNotification")
}

/// The display units of regions, where they differ from the metric ones in the catalogue.
/// Apple publishes no table, so this one is our own (Semantics §9.8).
enum RegionalUnits {
    /// A unit that replaces a metric unit in some regions, for some or all types.
    struct Row {
        var metric: String
        var local: String
        /// The names of the types that the row applies to; nil for all.
        var types: Set<String>?
        /// ISO 3166 country codes.
        var regions: Set<String>

        init(
            _ metric: String, _ local: String, only types: Set<String>? = nil, in regions: String...
        ) {
            self.metric = metric
            self.local = local
            self.types = types
            self.regions = Set(regions)
        }
    }

    /// Returns the display unit of a type in a region, such as "lb" for body mass in the US.
    /// Without a region, returns the metric unit of the catalogue. Returns nil for types without a
    /// unit.
    static func unit(of type: SampleType, region: String?) -> String? {
        guard let metric = type.displayUnit ?? type.canonicalUnit else { return nil }
        guard let region else { return metric }
        let row = rows.first {
            $0.metric == metric && $0.regions.contains(region)
                && $0.types?.contains(type.name) ?? true
        }
        return row?.local ?? metric
    }
}
