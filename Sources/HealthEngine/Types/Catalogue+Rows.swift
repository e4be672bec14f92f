// Functions and types with which the generated tables are written. They leave out what is the same
// for all rows of a table.

extension SampleType {
    static func quantity(
        _ code: Int32, _ identifier: String, _ name: String, _ domain: HealthDomain,
        _ aggregation: Aggregation,
        canonical: String, display: String, requires metadata: [String] = []
    ) -> SampleType {
        SampleType(
            code: code, identifier: identifier, name: name, kind: .quantity, domain: domain,
            aggregation: aggregation, canonicalUnit: canonical, displayUnit: display,
            requiredMetadata: metadata)
    }

    static func category(
        _ code: Int32, _ identifier: String, _ name: String, _ domain: HealthDomain, values: String,
        requires metadata: [String] = []
    ) -> SampleType {
        SampleType(
            code: code, identifier: identifier, name: name, kind: .category, domain: domain,
            valueEnumeration: values, requiredMetadata: metadata)
    }

    static func other(
        _ code: Int32, _ identifier: String, _ name: String, _ domain: HealthDomain, _ kind: Kind,
        members: [String] = []
    ) -> SampleType {
        SampleType(
            code: code, identifier: identifier, name: name, kind: kind, domain: domain,
            requiredMembers: members)
    }
}

/// An enumeration in the generated tables.
struct EnumerationRows {
    struct Row {
        let rawValue: Int
        let name: String
        let exportedName: String
        let aliasOf: String?

        init(_ rawValue: Int, _ name: String, _ exportedName: String, aliasOf: String? = nil) {
            self.rawValue = rawValue
            self.name = name
            self.exportedName = exportedName
            self.aliasOf = aliasOf
        }
    }

    let name: String
    let rows: [Row]

    init(_ name: String, _ rows: [Row]) {
        self.name = name
        self.rows = rows
    }

    var values: [EnumerationValue] {
        rows.map {
            EnumerationValue(
                enumeration: name, rawValue: $0.rawValue, name: $0.name,
                exportedName: $0.exportedName, aliasOf: $0.aliasOf)
        }
    }
}

extension Catalogue {
    static let enumerationValues: [EnumerationValue] =
        (categoryEnumerations + workoutEnumerations + characteristicEnumerations
        + metadataEnumerations).flatMap(\.values)
}
