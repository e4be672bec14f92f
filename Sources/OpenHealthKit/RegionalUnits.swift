import HealthEngine

/// The units in which people of a region read values, where they differ from the catalogue's metric
/// ones (Semantics §9.8: no table of Apple's is public, so this one is ours).
enum RegionalUnits {
    /// One unit that is read in another one.
    struct Row {
        var metric: String
        var local: String
        /// For these types only, by name; nil for all.
        var types: Set<String>?
        /// ISO 3166 codes.
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
