package import HealthEngine

extension Catalogue {
    /// The names of values that state that there is nothing, such as an hour without standing.
    private static let absences: Set<String> = ["idle", "notPresent", "none", "negative"]

    /// Returns whether a category's value states that there is nothing: an idle hour, a symptom that isn't
    /// present, no flow, a negative test.
    ///
    /// - Parameters:
    ///   - value: The raw value.
    ///   - enumeration: The name of the values, as in ``SampleType/valueEnumeration``.
    package static func isAbsence(_ value: Int, of enumeration: String) -> Bool {
        Catalogue.value(value, of: enumeration).map { absences.contains($0.name) } ?? false
    }
}
