package import HealthCalendar
package import HealthEngine
import HealthStorage

/// Writes health data as resources of FHIR R4: values in, text out.
///
/// ```swift
/// var export = FHIRExport(.lines, of: try store.identifier, settings)
/// var text = export.beginning(patient: [:])
/// try store.forEachExportedBatch(selection) { text += export.text($0) }
/// text += export.ending
/// ```
/// The identifiers of resources are computed from that of the store and what the resource is about,
/// so the next export of the same store updates. References resolve within the export: a Device is
/// written before the first resource that refers to it.
///
/// Readings are Observations as recorded. Amounts are Observations of a day without double
/// counting (``FHIRDayTotal``), and sleep those of a night (``FHIRSleep``), each with a Provenance.
/// ``tally`` counts what was written and what FHIR's code systems have no code for.
package struct FHIRExport: Sendable {
    /// What all resources of an export have in common.
    package struct Settings: Sendable {
        /// The time zone of times.
        package var calendar: CalendarBuckets
        /// When the export is made, in reference seconds.
        package var madeAt: Double
        /// The version of the program.
        package var version: String
        /// The types of the store by code.
        package var types: [Int32: SampleType]

        package init(
            calendar: CalendarBuckets, madeAt: Double, version: String,
            types: [Int32: SampleType] = [:]
        ) {
            self.calendar = calendar
            self.madeAt = madeAt
            self.version = version
            self.types = types
        }
    }

    /// What was written, and what is missing.
    package internal(set) var tally = FHIRTally()
    let form: FHIRForm
    let settings: Settings
    let ids: FHIRIdentifiers
    let patient: String
    let program: String
    private let store: String
    private let bundle: String
    private var isFirst = true
    /// The identifiers of the written devices.
    private var devices: [FHIRDevice: String] = [:]
    /// The codes of types, built once.
    private var coded: [String: FHIRTypeCode] = [:]

    /// Creates an export.
    ///
    /// - Parameters:
    ///   - form: The form of the text.
    ///   - store: The identifier of the store.
    ///   - settings: What all resources have in common.
    package init(_ form: FHIRForm, of store: String, _ settings: Settings) {
        (self.form, self.settings, self.store) = (form, settings, store)
        ids = FHIRIdentifiers(store: store)
        patient = ids.identifier("Patient", "")
        program = ids.identifier("Device", "program")
        bundle = ids.identifier("Bundle", "")
    }

    /// Returns the text before the first Observation: the patient, and the program as a device.
    ///
    /// - Parameter characteristics: The person's characteristics by Apple's identifier, as exports
    ///   write them; nil for a patient with an identifier only.
    package mutating func beginning(patient characteristics: [String: String]?) -> String {
        var text = form.beginning(id: bundle, madeAt: settings.calendar.fhirTime(settings.madeAt))
        text += self.text(patient(characteristics), "Patient", patient)
        let version = FHIRText.string(settings.version)
        let program = JSONText.object([
            "resourceType": .string("Device"), "id": .string(self.program),
            "deviceName": .array([
                .object(["name": .string("OpenHealthKit"), "type": .string("model-name")])
            ]),
            "type": .object(["text": .string("Software")]),
            "version": version.map { .array([.object(["value": .string($0)])]) },
        ])
        return text + self.text(program, "Device", self.program)
    }

    /// The text after the last resource.
    package var ending: String { form.ending }

    /// Counts the samples of a source that is excluded from the totals of a type, and therefore not
    /// in the export.
    package mutating func leaveOut(_ samples: Int, of source: Source, _ type: SampleType) {
        tally.lose(.excludedSources, samples, "\(type.name): \(name(source))")
    }

    private mutating func patient(_ characteristics: [String: String]?) -> JSONText {
        let prefix = "HKCharacteristicTypeIdentifier"
        var birthDate: String?
        var gender: String?
        for (key, value) in (characteristics ?? [:]).sorted(by: { $0.key < $1.key })
        where !value.isEmpty && !value.hasSuffix("NotSet") {
            switch key {
            case prefix + "DateOfBirth":
                birthDate = CivilDate(value).flatMap {
                    CivilDate.supportedRange.contains($0) ? value : nil
                }
            case prefix + "BiologicalSex": gender = FHIRExport.genders[value]
            default: tally.lose(.characteristics, 1, String(key.dropFirst(prefix.count)))
            }
        }
        return .object([
            "resourceType": .string("Patient"), "id": .string(patient),
            "identifier": .array([
                .object(["system": .string(FHIRSystem.store), "value": .string(store)])
            ]),
            "gender": gender.map(JSONText.string),
            "birthDate": birthDate.map(JSONText.string),
        ])
    }

    /// FHIR's administrative genders by the exported biological sex.
    private static let genders = [
        "HKBiologicalSexFemale": "female", "HKBiologicalSexMale": "male",
        "HKBiologicalSexOther": "other",
    ]

    /// Returns a resource as text, with what surrounds it.
    mutating func text(_ resource: JSONText, _ type: String, _ id: String) -> String {
        defer { isFirst = false }
        return form.text(resource, type, id, isFirst: isFirst)
    }

    /// Returns an Observation as text, and counts it.
    mutating func text(_ observation: FHIRObservation, of type: String) -> String {
        tally.count(type)
        let subject = form.reference("Patient", patient)
        return text(observation.json(subject: subject), "Observation", observation.id)
    }

    /// Returns the codes of a type.
    mutating func code(of type: SampleType) -> FHIRTypeCode {
        if let known = coded[type.identifier] { return known }
        let code = FHIRTypeCode(type)
        coded[type.identifier] = code
        return code
    }

    /// Returns a reference to a device, which is written to `text` if it hasn't been.
    mutating func reference(to device: FHIRDevice, _ text: inout String) -> String {
        if let known = devices[device] { return form.reference("Device", known) }
        let id = ids.identifier("Device", device.key)
        devices[device] = id
        var parent: String?
        if device.hardware != nil {
            let source = FHIRDevice(source: device.source, hardware: nil)
            parent = reference(to: source, &text)
        }
        let resource = device.json(
            id: id, patient: form.reference("Patient", patient), parent: parent)
        text += self.text(resource, "Device", id)
        return form.reference("Device", id)
    }
}
