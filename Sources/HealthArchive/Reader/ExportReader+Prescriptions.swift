import HealthEngine
import HealthStorage

// Prescriptions for glasses and contact lenses (ExportFormat §2.3).
extension ExportReader {
    static let prescriptionType = "HKVisionPrescriptionTypeIdentifier"

    /// Reads a prescription into the batch. One with a number that isn't one is quarantined as a
    /// whole. Returns false if the file ends inside it.
    func visionPrescription(_ tag: Tag) throws -> Bool {
        let heading: PrescriptionHeading
        switch PrescriptionHeading.read(tag, &dates) {
        case .success(let read): heading = read
        case .failure(let fault): return try quarantineGroup(tag, kind: .other, fault)
        }
        let attributes = RecordAttributes(tag)
        guard let origin = origins.number(attributes) else {
            return try quarantineGroup(tag, kind: .other, .tooManySources)
        }
        var entries = MetadataEntries()
        noteOthers(heading.others(attributes), of: "VisionPrescription", type: nil, &entries)
        var group = MeasurementGroup(tag)
        var prescription = heading.prescription
        let isComplete = try children(of: tag) { child in
            group.add(child)
            if child.name.equals("MetadataEntry") {
                return try metadataEntry(child, into: &entries)
            }
            count(child)
            return try prescriptionPart(child, &prescription, &group)
        }
        guard isComplete else {
            tally.countTruncated("VisionPrescription")
            return false
        }
        if let fault = group.fault { return try quarantine(group, fault) }
        heading.setType(of: &prescription)
        if let name = prescription.unknownTypeName { tally.unknownValues.add(name) }
        try append(
            .visionPrescription(prescription), ExportReader.prescriptionType, origin,
            heading.times, &entries)
        return true
    }

    /// Reads an eye or an attachment. Returns false if the file ends inside it.
    private func prescriptionPart(
        _ child: Tag, _ prescription: inout VisionPrescription, _ group: inout MeasurementGroup
    ) throws -> Bool {
        if child.name.equals("Attachment") {
            try noteUnknownAttributes(of: child)
            if let identifier = child.string("identifier"), countPart(child) {
                prescription.attachments.append(identifier)
            } else {
                try keep(child, .malformed)
            }
            return try skipChildren(of: child)
        }
        let path: WritableKeyPath<VisionPrescription, VisionPrescription.Lens?>
        let eye: Int
        if child.name.equals("RightEye") {
            (path, eye) = (\.rightEye, VisionPrescription.Prism.right)
        } else if child.name.equals("LeftEye") {
            (path, eye) = (\.leftEye, VisionPrescription.Prism.left)
        } else {
            return try keepRaw(child, .unknown)
        }
        try noteUnknownAttributes(of: child)
        // The first of several elements for one eye counts.
        if prescription[keyPath: path] != nil {
            try keep(child, .malformed)
        } else {
            switch try lens(child, eye: eye) {
            case .success(let lens): prescription[keyPath: path] = lens
            case .failure(let fault): group.fault = fault
            }
        }
        return try skipChildren(of: child)
    }

    private func lens(
        _ tag: Tag, eye: Int
    ) throws -> Result<VisionPrescription.Lens, RecordFault> {
        var lens = VisionPrescription.Lens()
        for measure in LensMeasure.all {
            switch self.measure(measure.value, measure.unit, measure.usualUnit, of: tag) {
            case .success(let quantity): lens[keyPath: measure.path] = quantity
            case .failure(let fault): return .failure(fault)
            }
        }
        let amount = measure("prismAmount", "prismAmountUnit", "pD", of: tag)
        let angle = measure("prismAngle", "prismAngleUnit", "deg", of: tag)
        switch (amount, angle) {
        case (.success(let amount?), .success(let angle?)):
            lens.prism = VisionPrescription.Prism(.polar(amount: amount, angle: angle), eye: eye)
        case (.success(nil), .success(nil)): break
        case (.success, .success): try keep(tag, .malformed)
        default: return .failure(.badValue)
        }
        return .success(lens)
    }

    private func measure(
        _ value: StaticString, _ symbol: StaticString, _ usual: String, of tag: Tag
    ) -> Result<RecordedQuantity?, RecordFault> {
        tag.optionalNumber(value).map { number in
            number.map { RecordedQuantity($0, unit(tag.string(symbol), usual)) }
        }
    }

    /// The attributes of `RightEye` and `LeftEye`.
    static let eyeAttributes = Set(
        [
            "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD",
            "nearPD", "baseCurve", "diameter",
        ].flatMap { [$0, $0 + "Unit"] })
}

/// A measure of a lens and its attributes, in the order of Apple's export.
struct LensMeasure: Sendable {
    var value: StaticString
    var unit: StaticString
    /// The unit of a value without one.
    var usualUnit: String
    var path: any WritableKeyPath<VisionPrescription.Lens, RecordedQuantity?> & Sendable

    private init(
        _ value: StaticString, _ unit: StaticString, _ usualUnit: String,
        _ path: any WritableKeyPath<VisionPrescription.Lens, RecordedQuantity?> & Sendable
    ) {
        self.value = value
        self.unit = unit
        self.usualUnit = usualUnit
        self.path = path
    }

    /// The measures before the prism.
    static let beforePrism = [
        LensMeasure("sphere", "sphereUnit", "D", \.sphere),
        LensMeasure("cylinder", "cylinderUnit", "D", \.cylinder),
        LensMeasure("axis", "axisUnit", "deg", \.axis),
        LensMeasure("add", "addUnit", "D", \.addPower),
        LensMeasure("vertex", "vertexUnit", "mm", \.vertexDistance),
    ]
    /// The measures after the prism.
    static let afterPrism = [
        LensMeasure("farPD", "farPDUnit", "mm", \.farPupillaryDistance),
        LensMeasure("nearPD", "nearPDUnit", "mm", \.nearPupillaryDistance),
        LensMeasure("baseCurve", "baseCurveUnit", "mm", \.baseCurve),
        LensMeasure("diameter", "diameterUnit", "mm", \.diameter),
    ]
    static let all = beforePrism + afterPrism
}
