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

/// The codes and the unit of a type's Observations.
struct FHIRTypeCode: Sendable {
    let identifier: String
    /// The code with LOINC where there is one.
    let code: JSONText
    /// The code with HealthKit's identifier only, for values that don't fit the LOINC code.
    let ownCode: JSONText
    let hasLOINC: Bool
    let category: String?
    let profile: String?
    /// The unit into which values are converted; nil for a type that the catalogue doesn't have.
    let unit: FHIRUnit?
    let quantityUnit: FHIRQuantityUnit

    init(_ type: SampleType) {
        identifier = type.identifier
        let row = FHIRCode.code(of: type.identifier)
        let text = FHIRText.string(FHIRText.words(type.name)) ?? "Unknown"
        let own = (FHIRSystem.type, FHIRText.code(type.identifier))
        let loinc = (row?.loinc ?? []).map { (FHIRSystem.loinc, $0) }
        code = .concept(loinc + [own], text)
        ownCode = .concept([own], text)
        hasLOINC = !loinc.isEmpty
        let isActivity = type.domain == .activity || type.domain == .sleep
        category = row?.category ?? (isActivity ? "activity" : nil)
        profile = row?.profile
        unit = type.displayUnit.map { FHIRUnit.unit($0) }
        let known = unit.map { FHIRQuantityUnit($0) }
        quantityUnit =
            row?.ucum.map { FHIRQuantityUnit(text: $0, ucum: $0) }
            ?? known ?? FHIRQuantityUnit(text: nil, ucum: nil)
    }

    /// Returns a value of the type's unit as a Quantity.
    func value(_ value: Double) -> FHIRValue {
        guard value.isFinite else { return .absent(value.isNaN ? .unknown : .notANumber) }
        let scale = unit?.scale ?? 1
        return .quantity(
            scale == 1 ? value : FHIRText.settled(value * Double(scale)), quantityUnit)
    }
}

/// A source of samples, or a device with which it measured.
struct FHIRDevice: Hashable, Sendable {
    /// The properties of a device that don't change with its software. Its Bluetooth identifier is
    /// left out.
    struct Hardware: Hashable, Sendable {
        var name: String?
        var manufacturer: String?
        var model: String?
        var hardwareVersion: String?
        var udi: String?
    }

    var name: String
    var bundleIdentifier: String
    var hardware: Hardware?

    init(source: Source, hardware: Hardware?) {
        (name, bundleIdentifier) = (source.name, source.bundleIdentifier)
        self.hardware = hardware
    }

    init(source: Source, _ device: Device?) {
        let hardware = device.map {
            Hardware(
                name: $0.name, manufacturer: $0.manufacturer, model: $0.model,
                hardwareVersion: $0.hardwareVersion, udi: $0.udiDeviceIdentifier)
        }
        self.init(source: source, hardware: hardware == Hardware() ? nil : hardware)
    }

    var source: Source { Source(name: name, bundleIdentifier: bundleIdentifier) }

    /// What identifies the device within a store.
    var key: String {
        let parts =
            [bundleIdentifier, bundleIdentifier.isEmpty ? name : nil]
            + (hardware.map { [$0.name, $0.manufacturer, $0.model, $0.hardwareVersion, $0.udi] }
                ?? [])
        return JSONText.array(parts.map { JSONText.text($0) }).text
    }

    func json(id: String, patient: String, parent: String?) -> JSONText {
        let name = FHIRText.string(hardware == nil ? self.name : hardware?.name)
        let identifier = FHIRText.string(bundleIdentifier)
        let model = FHIRText.string(hardware?.hardwareVersion) ?? FHIRText.string(hardware?.model)
        return .object([
            "resourceType": .string("Device"), "id": .string(id),
            "identifier": identifier.map {
                .array([.object(["system": .string(FHIRSystem.source), "value": .string($0)])])
            },
            "udiCarrier": FHIRText.string(hardware?.udi).map {
                .array([.object(["deviceIdentifier": .string($0)])])
            },
            "manufacturer": FHIRText.string(hardware?.manufacturer).map(JSONText.string),
            "deviceName": name.map {
                .array([
                    .object(["name": .string($0), "type": .string("user-friendly-name")])
                ])
            },
            "modelNumber": model.map(JSONText.string),
            "patient": .object(["reference": .string(patient)]),
            "parent": parent.map { .object(["reference": .string($0)]) },
        ])
    }
}
