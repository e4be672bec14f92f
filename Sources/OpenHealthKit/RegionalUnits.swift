import HealthEngine

/// The units in which people of a region read values, where they differ from the catalogue's metric
/// ones (healthkit-semantics §9.8: no table of Apple's is public, so this one is ours).
enum RegionalUnits {
    private struct Row {
        /// ISO 3166 codes.
        var regions: Set<String>
        /// Which unit is read in another one…
        var metric: String
        var local: String
        /// …for these types only, by name; nil for all.
        var types: Set<String>?

        init(_ regions: Set<String>, _ metric: String, _ local: String, only types: Set<String>?) {
            self.regions = regions
            self.metric = metric
            self.local = local
            self.types = types
        }
    }

    private static let customary: Set<String> = ["US", "LR", "MM"]
    private static let imperialRoads: Set<String> = ["US", "LR", "MM", "GB"]
    /// Where blood glucose is read in millimoles.
    private static let molar: Set<String> = [
        "AU", "CA", "CH", "CN", "CZ", "DK", "EE", "FI", "GB", "HR", "HU", "IE", "IS", "LT", "LV",
        "MY", "NL", "NO", "NZ", "RU", "SE", "SG", "SI", "SK", "UA", "ZA",
    ]

    /// The first row that fits counts.
    private static let rows = [
        Row(customary, "kg", "lb", only: nil),
        Row(["GB", "IE"], "kg", "st", only: ["bodyMass"]),
        Row(imperialRoads, "cm", "ft", only: ["height"]),
        Row(customary, "cm", "in", only: nil),
        Row(customary, "m", "yd", only: ["distanceSwimming"]),
        Row(customary, "m", "ft", only: nil),
        Row(imperialRoads, "km", "mi", only: nil),
        Row(imperialRoads, "km/hr", "mi/hr", only: nil),
        Row(customary, "degC", "degF", only: nil),
        Row(customary, "mL", "fl_oz_us", only: nil),
        Row(molar, "mg/dL", "mmol<180.1558800000541>/L", only: ["bloodGlucose"]),
    ]

    /// The unit's string for a type in a region, "lb" for body mass in the US; nil for types
    /// without a unit.
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
