import HealthStorage

/// An Observation of FHIR R4 as a value. Texts and times have the form that FHIR requires.
struct FHIRObservation {
    enum Status: String {
        case final
        /// The value may still change, such as the total of a day that hasn't ended.
        case preliminary
    }

    /// When the value was true: an instant, or a period with an optional end.
    enum Effective {
        case instant(String)
        case period(start: String, end: String?)
    }

    struct Component {
        var code: JSONText
        var value: FHIRValue
    }

    var id: String
    /// The UUID of the sample; nil for values of several samples.
    var uuid: String?
    var status = Status.final
    /// The name of a profile of FHIR R4.
    var profile: String?
    var category: String?
    var code: JSONText
    var effective: Effective
    /// Nil for a panel, which has only components.
    var value: FHIRValue?
    var interpretation: String?
    var note: String?
    var method: FHIRMethod?
    /// A reference to the device, see ``FHIRForm/reference(_:_:)``.
    var device: String?
    var components: [Component] = []

    /// The resource as JSON. `subject` is a reference to the patient.
    func json(subject: String) -> JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("resourceType", .string("Observation")), ("id", .string(id)),
        ]
        if let profile {
            members.append(
                (
                    "meta",
                    .object(["profile": .array([.string(FHIRSystem.profiles + profile)])])
                ))
        }
        if let uuid {
            members.append(
                (
                    "identifier",
                    .array([
                        .object([
                            "system": .string("urn:ietf:rfc:3986"),
                            "value": .string("urn:uuid:" + uuid.lowercased()),
                        ])
                    ])
                ))
        }
        members.append(("status", .string(status.rawValue)))
        if let category {
            members.append(
                ("category", .array([.concept([(FHIRSystem.category, category)], nil)])))
        }
        members.append(("code", code))
        members.append(("subject", .object(["reference": .string(subject)])))
        switch effective {
        case .instant(let time): members.append(("effectiveDateTime", .string(time)))
        case .period(let start, let end):
            members.append(
                (
                    "effectivePeriod",
                    .object(["start": .string(start), "end": end.map(JSONText.string)])
                ))
        }
        if let value { members.append(value.member) }
        addDetails(to: &members)
        return .object(members)
    }

    /// Adds the elements that follow the value.
    private func addDetails(to members: inout [(key: String, value: JSONText)]) {
        if let interpretation {
            members.append(
                ("interpretation", .array([.object(["text": .string(interpretation)])])))
        }
        if let note {
            members.append(("note", .array([.object(["text": .string(note)])])))
        }
        if let method {
            members.append(
                ("method", .concept([(FHIRSystem.method, method.rawValue)], method.text)))
        }
        if let device {
            members.append(("device", .object(["reference": .string(device)])))
        }
        guard !components.isEmpty else { return }
        members.append(
            (
                "component",
                .array(components.map { .object([("code", $0.code), $0.value.member]) })
            ))
    }
}

/// The value of an Observation or a component, or why there is none.
enum FHIRValue {
    /// A reason of FHIR's data-absent-reason.
    enum AbsentReason: String {
        case unknown
        case notANumber = "not-a-number"
    }

    case quantity(Double, FHIRQuantityUnit)
    case concept(JSONText)
    case integer(Int)
    case sampledData(JSONText)
    case absent(AbsentReason)

    /// The element with its name: `value[x]` or `dataAbsentReason`.
    var member: (key: String, value: JSONText) {
        switch self {
        case .quantity(let value, let unit):
            return (
                "valueQuantity",
                .object([
                    "value": .number(value), "unit": unit.text.map(JSONText.string),
                    "system": unit.ucum == nil ? nil : .string(FHIRSystem.ucum),
                    "code": unit.ucum.map(JSONText.string),
                ])
            )
        case .concept(let concept): return ("valueCodeableConcept", concept)
        case .integer(let value): return ("valueInteger", .integer(value))
        case .sampledData(let data): return ("valueSampledData", data)
        case .absent(let reason):
            return (
                "dataAbsentReason",
                .concept([(FHIRSystem.absentReason, reason.rawValue)], nil)
            )
        }
    }
}

/// The unit of a Quantity.
struct FHIRQuantityUnit: Hashable, Sendable {
    /// What people read; nil for a value without a unit.
    var text: String?
    /// The UCUM code; nil if there is none.
    var ucum: String?

    static let seconds = FHIRQuantityUnit(text: "s", ucum: "s")
    static let microvolts = FHIRQuantityUnit(text: "µV", ucum: "uV")

    init(text: String?, ucum: String?) {
        self.text = text
        self.ucum = ucum
    }

    init(_ unit: FHIRUnit) {
        // Notations such as mmol<180.15…>/L are HealthKit's own.
        let isOwn = unit.symbol.contains("<") && unit.ucum != nil
        self.init(text: FHIRText.string(isOwn ? unit.ucum : unit.symbol), ucum: unit.ucum)
    }
}
