import HealthEngine
import HealthStorage

/// Reads the content of prescriptions, as `openhealth export --format jsonl` writes it.
enum ChangesVisionPrescription {
    static func prescription(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> VisionPrescription {
        let types = [
            "glasses": VisionPrescription.glasses, "contacts": VisionPrescription.contacts,
        ]
        var prescription = VisionPrescription(
            type: try ChangesFields.named(value["type"], types, field + ".type"),
            expiration: try ChangesFields.optionalInstant(value["expires"], field + ".expires"),
            brand: value["brand"]?.string)
        prescription.unknownTypeName = value["unknownType"]?.string
        if let eye = value["rightEye"] {
            prescription.rightEye = try lens(eye, field + ".rightEye")
        }
        if let eye = value["leftEye"] {
            prescription.leftEye = try lens(eye, field + ".leftEye")
        }
        for element in try ChangesFields.elements(value["attachments"], field + ".attachments") {
            guard let identifier = element.string else {
                throw .invalid(.identifier, field: field + ".attachments")
            }
            prescription.attachments.append(identifier)
        }
        return prescription
    }

    private static func lens(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> VisionPrescription.Lens {
        func measure(
            _ name: String, _ dimension: String
        ) throws(UnreadableRecord) -> RecordedQuantity? {
            try ChangesFields.optionalQuantity(value[name], "\(field).\(name)", of: dimension)
        }
        guard value.members != nil else { throw .invalid(.value, field: field) }
        var lens = VisionPrescription.Lens(sphere: try measure("sphere", "D"))
        lens.cylinder = try measure("cylinder", "D")
        lens.axis = try measure("axis", "deg")
        lens.addPower = try measure("addPower", "D")
        lens.vertexDistance = try measure("vertexDistance", "mm")
        lens.farPupillaryDistance = try measure("farPupillaryDistance", "mm")
        lens.nearPupillaryDistance = try measure("nearPupillaryDistance", "mm")
        lens.baseCurve = try measure("baseCurve", "mm")
        lens.diameter = try measure("diameter", "mm")
        if let prism = value["prism"] { lens.prism = try self.prism(prism, field + ".prism") }
        return lens
    }

    private static func prism(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> VisionPrescription.Prism {
        let eyes = [
            "left": VisionPrescription.Prism.left, "right": VisionPrescription.Prism.right,
        ]
        let eye = try ChangesFields.named(value["eye"], eyes, field + ".eye")
        let amount = { (name: String) throws(UnreadableRecord) in
            try ChangesFields.quantity(value[name], "\(field).\(name)", of: "pD")
        }
        if value["amount"] != nil {
            let angle = try ChangesFields.quantity(value["angle"], field + ".angle", of: "deg")
            return VisionPrescription.Prism(
                .polar(amount: try amount("amount"), angle: angle), eye: eye)
        }
        let bases = VisionPrescription.Prism.Direction.names.mapValues(\.rawValue)
        return VisionPrescription.Prism(
            .rectangular(
                vertical: try amount("verticalAmount"),
                verticalBase: try ChangesFields.named(
                    value["verticalBase"], bases, field + ".verticalBase"),
                horizontal: try amount("horizontalAmount"),
                horizontalBase: try ChangesFields.named(
                    value["horizontalBase"], bases, field + ".horizontalBase")),
            eye: eye)
    }
}
