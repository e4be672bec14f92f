import HealthEngine
import HealthStorage

// What people log: symptoms and cycle tracking.
extension HealthAutoExportReader {
    // MARK: - Symptoms

    func addSymptom(_ record: JSONValue, to pages: inout IntakePages) {
        guard let name = record["name"]?.string,
            let type = HealthAutoExportReader.symptoms[HealthAutoExportReader.folded(name)]
        else { return pages.keepUnknown("symptoms name", record) }
        guard let span = span(of: record, keptAs: record, &pages) else { return }
        guard let severity = record["severity"] else {
            return pages.reject(.value, field: "severity", record)
        }
        guard let value = HealthAutoExportReader.categoryValue(severity, of: type) else {
            return pages.keepUnknown("symptoms severity", record)
        }
        var metadata = HealthAutoExportReader.metadataEntries(of: record)
        if let flag = record["userEntered"]?.bool {
            metadata["HKWasUserEntered"] = .number(flag ? 1 : 0)
        }
        var sample = sample(type, span, source: record["source"], metadata: metadata)
        sample.value = Double(value)
        pages.add(sample)
    }

    /// The types of symptoms by the folded names of the app, which are HealthKit's with few
    /// exceptions.
    private static let symptoms: [String: SampleType] = {
        let enumerations: Set = [
            "HKCategoryValueSeverity", "HKCategoryValuePresence", "HKCategoryValueAppetiteChanges",
        ]
        var types = typesByName { enumerations.contains($0.valueEnumeration ?? "") }
        types["bodyandmuscleache"] = Catalogue.type(named: "generalizedBodyAche")
        return types
    }()

    private static func typesByName(
        where isIncluded: (SampleType) -> Bool
    ) -> [String: SampleType] {
        var types: [String: SampleType] = [:]
        for type in Catalogue.types where isIncluded(type) { types[folded(type.name)] = type }
        return types
    }

    /// Returns the raw value of a category's word or number; nil for an unknown one.
    private static func categoryValue(_ json: JSONValue, of type: SampleType) -> Int? {
        let enumeration = type.valueEnumeration ?? ""
        if let number = json.integer {
            return Catalogue.value(number, of: enumeration)?.rawValue
        }
        return json.string.flatMap { rawValue($0, of: enumeration) }
    }

    // MARK: - Cycle tracking

    func addCycleEntry(_ record: JSONValue, to pages: inout IntakePages) {
        guard let name = record["name"]?.string,
            let type = HealthAutoExportReader.cycleTypes[HealthAutoExportReader.folded(name)]
        else { return pages.keepUnknown("cycleTracking name", record) }
        guard let span = span(of: record, keptAs: record, &pages) else { return }
        var metadata = HealthAutoExportReader.metadataEntries(of: record)
        var value = 0
        if type.valueEnumeration != "HKCategoryValue" {
            guard let sent = record["value"] else {
                return pages.reject(.value, field: "value", record)
            }
            guard let known = HealthAutoExportReader.categoryValue(sent, of: type) else {
                return pages.keepUnknown("cycleTracking value", record)
            }
            value = known
        } else {
            // Types without values: the word is kept, but there is no number for it.
            metadata.merge(HealthAutoExportReader.metadata(["value"], of: record)) { $1 }
        }
        if let flag = record["isCycleStart"]?.bool {
            metadata["HKMenstrualCycleStart"] = .number(flag ? 1 : 0)
        }
        var sample = sample(type, span, source: record["source"], metadata: metadata)
        sample.value = Double(value)
        pages.add(sample)
    }

    /// The types of cycle tracking by the folded names of the app.
    private static let cycleTypes: [String: SampleType] = {
        let names: Set = [
            "menstrualFlow", "ovulationTestResult", "cervicalMucusQuality",
            "intermenstrualBleeding", "persistentIntermenstrualBleeding", "pregnancy", "lactation",
            "contraceptive", "sexualActivity", "progesteroneTestResult", "pregnancyTestResult",
            "bleedingAfterPregnancy", "bleedingDuringPregnancy", "infrequentMenstrualCycles",
            "irregularMenstrualCycles", "prolongedMenstrualPeriods",
        ]
        var types = typesByName { names.contains($0.name) }
        types["spotting"] = Catalogue.type(named: "intermenstrualBleeding")
        return types
    }()
}
