extension SampleDetail {
    /// The identifiers of the attachments that the sample's element in an export names
    /// (`<Attachment identifier="…"/>`), in their order. Kinds whose element names none have none,
    /// and ignore what is set.
    package var attachmentIdentifiers: [String] {
        get { [] }
        set {}
    }
}
