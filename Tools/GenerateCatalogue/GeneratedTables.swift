package import Foundation

/// The generated Swift files of a target.
package struct GeneratedTables {
    /// The targets that have a `Generated` folder.
    package enum Target: String, CaseIterable, Sendable {
        /// Lookup tables.
        case engine = "HealthEngine"
        /// Apple's names for the same facts, and facts that only this target uses.
        case names = "OpenHealthKit"
        /// Codes of other standards.
        case formats = "HealthFormats"

        /// The folder of the files, relative to `Sources`: `HealthEngine/Generated`.
        package var folder: String { "\(rawValue)/Generated" }
    }

    package let files: [String: String]

    /// Generates the files of a target.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - data: The folder with the JSON facts.
    /// - Throws: ``FactError``, which names the file, for an invalid fact; a `CocoaError` for a
    ///   file that can't be read.
    package init(_ target: Target = .engine, data: URL) throws {
        let facts = Facts(directory: data)
        files =
            switch target {
            case .engine: try GeneratedTables.tables(facts)
            case .names: try GeneratedTables.names(facts)
            case .formats: ["FHIRCodes.swift": try facts.fhirCodes()]
            }
    }

    private static func names(_ facts: Facts) throws -> [String: String] {
        [
            "HKQuantityTypeIdentifier.swift": try facts.quantityTypeIdentifiers(),
            "HKCategoryTypeIdentifier.swift": try facts.categoryTypeIdentifiers(),
            "HKTypeIdentifiers.swift": try facts.otherTypeIdentifiers(),
            "HKCategoryValues.swift": try facts.categoryValueTypes(),
            "HKWorkoutActivityType.swift": try facts.enumerationTypes(
                from: "workout-activity-types.json", "workout-event-types.json"),
            "HKMetadataValues.swift": try facts.enumerationTypes(from: "metadata-keys.json"),
            "HKCharacteristicValues.swift": try facts.enumerationTypes(
                from: "characteristics.json"),
            "HKEnumerations.swift": try facts.enumerationTypes(from: "enumerations.json"),
            "HKError+Codes.swift": try facts.errorCodes(),
            "HKMetadataKeys.swift": try facts.metadataKeyConstants(),
            "HKConstants.swift": try facts.stringConstants(),
            "HKUnit+Factories.swift": try facts.unitFactories(),
            "RegionalUnits+Rows.swift": try facts.regionalUnits(),
            "AuthorizationTypes+ReadOnly.swift": try facts.unsharableTypes(),
        ]
    }

    private static func tables(_ facts: Facts) throws -> [String: String] {
        [
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

    /// Returns the sorted names of the files in a folder that are missing, differ, or are no longer
    /// generated.
    package func stale(in directory: URL) -> [String] {
        let differing = files.filter { name, text in
            (try? Data(contentsOf: directory.appending(path: name))) != Data(text.utf8)
        }
        let present = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return (differing.keys + present.filter { files[$0] == nil }).sorted()
    }
}

/// An invalid fact: its file, its row and the problem.
package struct FactError: Error, CustomStringConvertible {
    var file: String
    var row: String
    var problem: String

    package var description: String { "Data/\(file): \(row): \(problem)" }
}

/// Reads facts from the folder of JSON files.
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
