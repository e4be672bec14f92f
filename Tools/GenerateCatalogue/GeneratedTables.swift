package import Foundation

/// The generated Swift files, by name.
package struct GeneratedTables {
    package let files: [String: String]

    /// - Parameter data: The folder with the JSON facts.
    /// - Throws: ``FactError`` or a decoding error that names the file and the field.
    package init(data: URL) throws {
        let facts = Facts(directory: data)
        files = [
            "UnitTable+Units.swift": try facts.unitTable(),
            "Catalogue+QuantityTypes.swift": try facts.quantityTypes(),
            "Catalogue+CategoryTypes.swift": try facts.categoryTypes(),
            "Catalogue+OtherTypes.swift": try facts.otherTypes(),
            "Catalogue+CategoryValues.swift": try facts.enumerations(
                "categoryEnumerations", from: "category-values.json"),
            "Catalogue+Workouts.swift": try facts.workouts(),
            "Catalogue+Characteristics.swift": try facts.characteristics(),
            "Catalogue+MetadataKeys.swift": try facts.metadataKeys(),
            "Catalogue+MetadataValues.swift": try facts.enumerations(
                "metadataEnumerations", from: "metadata-keys.json"),
            "Catalogue+HealthAppNames.swift": try facts.healthAppNames(),
        ]
    }

    package func write(to directory: URL) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: directory.appending(path: name))
        }
    }

    /// Names of files that are missing, differ, or are there and no longer generated.
    package func stale(in directory: URL) -> [String] {
        let differing = files.filter { name, text in
            (try? Data(contentsOf: directory.appending(path: name))) != Data(text.utf8)
        }
        let present = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return (differing.keys + present.filter { files[$0] == nil }).sorted()
    }
}

/// A fact that makes no sense: where it stands and what is wrong with it.
package struct FactError: Error, CustomStringConvertible {
    var file: String
    var row: String
    var problem: String

    package var description: String { "Data/\(file): \(row): \(problem)" }
}

/// The folder of JSON files.
struct Facts {
    let directory: URL

    func read<Value: Decodable>(_ type: Value.Type, from file: String) throws -> Value {
        let data = try Data(contentsOf: directory.appending(path: file))
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch let error as DecodingError {
            throw FactError(file: file, row: "row", problem: "\(error)")
        }
    }
}
