import HealthStorage

/// The form of a FHIR export.
package enum FHIRForm: Sendable {
    /// A Bundle of type transaction, whose entries are created or updated by their identifiers.
    case bundle
    /// A resource on each line (NDJSON).
    case lines

    /// Chooses the form by the name of a file: one that ends in ".ndjson" has lines.
    ///
    /// - Parameter path: The path of a file, or "-".
    package init(path: String) {
        self = path.lowercased().hasSuffix(".ndjson") ? .lines : .bundle
    }

    /// Returns a reference that resolves within the export: `urn:uuid:…`, the `fullUrl` of the
    /// bundle's entry, or `Patient/…` in lines.
    func reference(_ type: String, _ id: String) -> String {
        switch self {
        case .bundle: "urn:uuid:" + id
        case .lines: type + "/" + id
        }
    }

    /// Returns the text before the first resource.
    func beginning(id: String, madeAt: String?) -> String {
        guard case .bundle = self else { return "" }
        let head = JSONText.object([
            "resourceType": .string("Bundle"), "id": .string(id), "type": .string("transaction"),
            "timestamp": madeAt.map(JSONText.string),
        ])
        return head.text.dropLast() + ",\"entry\":["
    }

    /// Returns a resource with what surrounds it.
    func text(_ resource: JSONText, _ type: String, _ id: String, isFirst: Bool) -> String {
        switch self {
        case .lines: return resource.text + "\n"
        case .bundle:
            var text = isFirst ? "\n{\"fullUrl\":" : ",\n{\"fullUrl\":"
            JSONText.quote(reference(type, id), in: &text)
            text += ",\"resource\":"
            resource.write(to: &text)
            text += ",\"request\":{\"method\":\"PUT\",\"url\":"
            JSONText.quote(type + "/" + id, in: &text)
            return text + "}}"
        }
    }

    /// The text after the last resource.
    var ending: String {
        switch self {
        case .bundle: "\n]}\n"
        case .lines: ""
        }
    }
}
