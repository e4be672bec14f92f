/// What a FHIR export contains, and what it can't say in the words of other standards.
package struct FHIRTally: Sendable {
    /// Data of the store that isn't in the export.
    package enum Loss: String, CaseIterable, Sendable {
        case excludedSources, types, dates, metadata, details, routes, workoutEvents, voltages
        case characteristics

        /// The words after the count.
        package var description: String {
            switch self {
            case .excludedSources: "samples of sources that are excluded from totals"
            case .types: "samples of types without a form in FHIR here"
            case .dates: "samples and totals with invalid dates, or outside the years 1 to 9999"
            case .metadata: "samples with metadata, which is left out"
            case .details: "parts of samples, such as series"
            case .routes: "routes of workouts"
            case .workoutEvents: "pauses, laps, activities and zones of workouts"
            case .voltages: "electrocardiograms without readable voltages"
            case .characteristics: "characteristics without a place in a Patient"
            }
        }
    }

    /// Data that is in the export with codes of this project only.
    package enum Unmapped: String, CaseIterable, Sendable {
        case codes, units

        /// The words after the count.
        package var description: String {
            switch self {
            case .codes: "observations of types without a LOINC code; they have HealthKit's name"
            case .units: "values whose unit has no UCUM code; they have HealthKit's unit"
            }
        }
    }

    /// The number of Observations by identifier of the type.
    package private(set) var observations: [String: Int] = [:]
    /// The counts of lost data, and the names that explain them.
    package private(set) var losses: [Loss: (count: Int, names: Set<String>)] = [:]
    /// The counts of unmapped data by name of the type or unit.
    package private(set) var unmapped: [Unmapped: [String: Int]] = [:]

    mutating func count(_ type: String) { observations[type, default: 0] += 1 }

    mutating func lose(_ loss: Loss, _ count: Int = 1, _ name: String? = nil) {
        if count == 0 { return }
        losses[loss, default: (0, [])].count += count
        if let name { losses[loss, default: (0, [])].names.insert(name) }
    }

    mutating func miss(_ kind: Unmapped, _ name: String) {
        unmapped[kind, default: [:]][name, default: 0] += 1
    }
}
