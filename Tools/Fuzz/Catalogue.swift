import Foundation

/// HealthKit's names, read from the facts in `Data/` and not from the tested product.
struct Catalogue {
    struct Kind {
        var name: String
        var identifier: String
        var unit: String
        var isSum: Bool
    }

    var quantities: [Kind] = []
    /// The identifiers of category types, with the exported names of their values.
    var categories: [(name: String, identifier: String, values: [String])] = []
    var workouts: [String] = []
    var events: [String] = []
    var metadata: [String] = []

    init() throws {
        // Like the other tools, the fuzzer runs in the repository's root.
        let root = URL(filePath: FileManager.default.currentDirectoryPath).appending(path: "Data")
        func rows(_ file: String, _ key: String) throws -> [[String: Any]] {
            let data = try Data(contentsOf: root.appending(path: file))
            let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            return object?[key] as? [[String: Any]] ?? []
        }
        func text(_ row: [String: Any], _ key: String) -> String { row[key] as? String ?? "" }
        quantities = try rows("quantity-types.json", "types").map {
            Kind(
                name: text($0, "name"), identifier: text($0, "identifier"),
                unit: text($0, "displayUnit"), isSum: text($0, "aggregation") == "cumulative")
        }
        var values: [String: [String]] = [:]
        for row in try rows("category-values.json", "enumerations") {
            let names = (row["values"] as? [[String: Any]] ?? []).map { text($0, "exportedName") }
            values[text(row, "enumeration")] = names
        }
        categories = try rows("category-types.json", "types").map {
            (
                text($0, "name"), text($0, "identifier"),
                values[text($0, "valueEnumeration")] ?? ["HKCategoryValueNotApplicable"]
            )
        }
        workouts = try Catalogue.exportedNames(
            rows("workout-activity-types.json", "enumerations"))
        events = try Catalogue.exportedNames(rows("workout-event-types.json", "enumerations"))
        metadata = try rows("metadata-keys.json", "keys").map { text($0, "key") }
    }

    private static func exportedNames(_ rows: [[String: Any]]) -> [String] {
        rows.flatMap { $0["values"] as? [[String: Any]] ?? [] }
            .compactMap { $0["exportedName"] as? String }
    }

    /// Returns a quantity type, in at least half of the cases one that pages and summaries show.
    func quantity(_ random: inout SeededRandom) -> Kind {
        let usual: Set<String> = [
            "stepCount", "heartRate", "bodyMass", "activeEnergyBurned", "distanceWalkingRunning",
            "height", "appleExerciseTime", "restingHeartRate", "basalEnergyBurned",
        ]
        let from = random.percent(50) ? quantities.filter { usual.contains($0.name) } : quantities
        return random.pick(
            from, or: Kind(name: "stepCount", identifier: "", unit: "count", isSum: true))
    }
}
