/// What an XML file got wrong and the scanner put right, passed over, or could only report.
///
/// Every occurrence counts. The raw value is the name a report shows.
public enum Repair: String, CaseIterable, Hashable, Sendable {
    /// A character XML forbids, raw or as a reference such as `&#11;`: left out.
    case controlCharacter
    /// Bytes that are no UTF-8: each maximal piece became U+FFFD.
    case invalidUTF8
    /// A reference that names no character, or a bare `&`: kept as written.
    case unknownReference
    /// A `<` within an attribute's value: kept as written.
    case unescapedLessThan
    /// An attribute that its tag has already: both are given.
    case duplicateAttribute
    /// An attribute's name with spaces or characters XML does not allow, as iOS 8 wrote them
    /// (ExportFormat §3.6): all up to `=` is the name.
    case irregularAttributeName
    /// A tag that is none: passed over, up to the next line that begins with `<`.
    case malformedTag
    /// An element without an end tag of its own, ended by an outer one.
    case missingEndTag
    /// An end tag whose element is not open: passed over.
    case unmatchedEndTag
    /// An element or a text before or after the one root element.
    case contentOutsideRoot
    /// A document type that breaks the grammar, as iOS 16.0 wrote it (ExportFormat §3.1):
    /// passed over.
    case malformedDocumentType
    /// A document type that gives attributes a default value: not applied.
    case attributeDefault
}
