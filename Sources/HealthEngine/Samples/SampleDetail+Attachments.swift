extension SampleDetail {
    /// The identifiers of the attachments that the sample's element in an export names
    /// (`<Attachment identifier="…"/>`), in their order. Only prescriptions have some; other kinds
    /// ignore what is set.
    package var attachmentIdentifiers: [String] {
        get {
            guard case .visionPrescription(let prescription) = self else { return [] }
            return prescription.attachments
        }
        set {
            guard case .visionPrescription(var prescription) = self else { return }
            prescription.attachments = newValue
            self = .visionPrescription(prescription)
        }
    }
}
