internal import HealthEngine

// Hearing tests and prescriptions.
extension ExportWriter {
    /// Writes the element of a hearing test or prescription. Returns false, without writing
    /// anything, for other details.
    mutating func writeMeasurement(
        _ detail: SampleDetail, of sample: Sample, _ type: SampleType,
        _ fragments: inout ExportFragments
    ) -> Bool {
        if let audiogram = detail.audiogram(ofType: type.name) {
            write(audiogram, of: sample, &fragments)
            return true
        }
        guard case .visionPrescription(let prescription) = detail,
            detail.isMeasurement(ofType: type.name)
        else { return false }
        write(prescription, of: sample, &fragments)
        return true
    }

    private mutating func write(
        _ audiogram: Audiogram, of sample: Sample, _ fragments: inout ExportFragments
    ) {
        count("Audiogram")
        text.append(" <Audiogram")
        text.attribute("type", "HKDataTypeIdentifierAudiogram")
        writeProvenance(sample, &fragments)
        text.append(">\n")
        text.append(fragments.entries(sample.metadata))
        for point in audiogram.points {
            text.append("  <SensitivityPoint")
            write(point.frequency, "frequencyValue", "frequencyUnit")
            write(point)
            text.append("/>\n")
        }
        text.append(" </Audiogram>\n")
    }

    private mutating func write(_ point: Audiogram.Point) {
        let ears = [("leftEar", Audiogram.Test.left), ("rightEar", Audiogram.Test.right)]
            .map { name, side in (name: name, test: point.exportedTest(of: side)) }
        for (name, test) in ears {
            write(test?.sensitivity, name + "Value", name + "Unit")
        }
        for (name, test) in ears where test?.masked == true {
            text.attribute(name + "Masked", "true")
        }
        for (name, test) in ears {
            text.attribute(name + "ClampingRangeLowerBound", test?.clamping?.lower)
            text.attribute(name + "ClampingRangeUpperBound", test?.clamping?.upper)
        }
    }

    private mutating func write(_ quantity: RecordedQuantity?, _ value: String, _ unit: String) {
        guard let quantity else { return }
        text.attribute(value, quantity.value)
        text.attribute(unit, quantity.unit)
    }

    private mutating func write(
        _ prescription: VisionPrescription, of sample: Sample,
        _ fragments: inout ExportFragments
    ) {
        count("VisionPrescription")
        text.append(" <VisionPrescription")
        text.attribute("type", prescription.exportedTypeName)
        text.attribute("dateIssued", date: sample.start)
        text.attribute("expirationDate", date: prescription.expiration)
        if let brand = prescription.brand { text.attribute("brand", brand) }
        text.append(">\n")
        text.append(fragments.entries(sample.metadata))
        if let lens = prescription.rightEye { write(lens, "RightEye") }
        if let lens = prescription.leftEye { write(lens, "LeftEye") }
        for identifier in prescription.attachments {
            text.append("  <Attachment")
            text.attribute("identifier", identifier)
            text.append("/>\n")
        }
        text.append(" </VisionPrescription>\n")
    }

    private mutating func write(_ lens: VisionPrescription.Lens, _ element: String) {
        text.append("  <\(element)")
        for measure in LensMeasure.beforePrism { write(measure, of: lens) }
        if let prism = lens.prism?.polar {
            write(prism.amount, "prismAmount", "prismAmountUnit")
            write(prism.angle, "prismAngle", "prismAngleUnit")
        }
        for measure in LensMeasure.afterPrism { write(measure, of: lens) }
        text.append("/>\n")
    }

    private mutating func write(_ measure: LensMeasure, of lens: VisionPrescription.Lens) {
        write(lens[keyPath: measure.path], "\(measure.value)", "\(measure.unit)")
    }
}

extension SampleDetail {
    /// Whether the detail is written as an element of its own.
    func isMeasurement(ofType type: String) -> Bool {
        if case .visionPrescription = self { return type == "visionPrescription" }
        return audiogram(ofType: type) != nil && type == "audiogram"
    }
}

extension VisionPrescription {
    /// The name of the type that an import reads.
    fileprivate var exportedTypeName: String {
        if let unknownTypeName { return unknownTypeName }
        return type == VisionPrescription.contacts
            ? "HKVisionPrescriptionTypeContacts" : "HKVisionPrescriptionTypeGlasses"
    }

    private var hasRectangularPrism: Bool {
        [rightEye, leftEye].contains {
            if case .rectangular = $0?.prism?.notation { true } else { false }
        }
    }

    /// Whether an export's element holds less than the sample: it has no source, device and
    /// creation date, and prisms in the polar notation only.
    fileprivate func losesDetails(of sample: Sample, in batch: SampleBatch) -> Bool {
        if sample.created.isFinite || hasRectangularPrism { return true }
        guard batch.origins.indices.contains(Int(sample.origin)) else { return false }
        let origin = batch.origins[Int(sample.origin)]
        guard batch.sources.indices.contains(Int(origin.source)) else { return false }
        // openhealth:ignore source-by-name The name marks sources of elements that name none.
        return origin.device != nil || origin.version != nil
            || batch.sources[Int(origin.source)].name != OriginTable.unknownSource
    }
}

extension StoreExportTally {
    mutating func count(
        _ prescription: VisionPrescription, of sample: Sample, in batch: SampleBatch
    ) {
        if prescription.losesDetails(of: sample, in: batch) { add(.measurementDetails, 1) }
    }
}
