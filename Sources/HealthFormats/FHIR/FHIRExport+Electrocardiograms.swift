package import HealthEngine
import HealthStorage

// Electrocardiograms.
extension FHIRExport {
    private static let electrocardiogramType = "HKDataTypeIdentifierElectrocardiogram"
    /// FHIR's `string` has at most 1 MB.
    private static let maximumData = 1_000_000

    /// Returns the Observation of an electrocardiogram with its voltages as SampledData, under the
    /// codes of FHIR's example of one.
    ///
    /// - Parameter recording: The recording; nil if it couldn't be read, which is counted.
    /// - Returns: The text; empty if there is nothing to write.
    package mutating func text(_ recording: ElectrocardiogramRecording?) -> String {
        guard let recording, let data = recording.data, data.utf8.count <= Self.maximumData else {
            tally.lose(.voltages)
            return ""
        }
        guard let start = settings.calendar.fhirTime(recording.start) else {
            tally.lose(.dates)
            return ""
        }
        let sampled = JSONText.object([
            "origin": .object([
                "value": .integer(0), "unit": .string("µV"), "system": .string(FHIRSystem.ucum),
                "code": .string("uV"),
            ]),
            // Milliseconds between two voltages.
            "period": .number(1000 / recording.rate), "dimensions": .integer(1),
            "data": .string(data),
        ])
        let observation = FHIRObservation(
            id: ids.identifier("electrocardiogram", start), category: "procedure",
            code: .concept(
                [
                    (FHIRSystem.mdc, "131328"),
                    (FHIRSystem.type, FHIRExport.electrocardiogramType),
                ], "Electrocardiogram"),
            effective: .instant(start), interpretation: FHIRText.string(recording.classification),
            components: [
                .init(
                    code: .concept([(FHIRSystem.mdc, "131329")], "Lead I"),
                    value: .sampledData(sampled))
            ])
        return text(observation, of: FHIRExport.electrocardiogramType)
    }
}

extension ElectrocardiogramRecording {
    /// The voltages as FHIR's SampledData: numbers, or E for an error, separated by spaces; nil if
    /// none is a number.
    fileprivate var data: String? {
        guard microvolts.contains(where: \.isFinite) else { return nil }
        return microvolts.map { $0.isFinite ? JSONText.number($0) : "E" }.joined(separator: " ")
    }
}
