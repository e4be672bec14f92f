extension SampleType {
    /// The kind an identifier names, also one the catalogue doesn't know: its beginning tells.
    ///
    /// `kind(ofIdentifier: "HKQuantityTypeIdentifierMoonlight")` is `.quantity`.
    public static func kind(ofIdentifier identifier: String) -> Kind {
        if let known = Catalogue.type(identifier: identifier) { return known.kind }
        if identifier.hasPrefix("HKQuantityTypeIdentifier") { return .quantity }
        if identifier.hasPrefix("HKCategoryTypeIdentifier") { return .category }
        if identifier.hasPrefix("HKCorrelationTypeIdentifier") { return .correlation }
        return .other
    }
}
