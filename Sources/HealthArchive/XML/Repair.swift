/// A defect of an XML file that the scanner repaired, skipped or only reported.
///
/// Every occurrence is counted. The raw value is the name in reports.
public enum Repair: String, CaseIterable, Hashable, Sendable {
    /// A character that XML forbids, raw or as a reference such as `&#11;`: removed.
    case controlCharacter
    /// Invalid UTF-8: each maximal subpart became U+FFFD.
    case invalidUTF8
    /// A reference to no character, or a bare `&`: kept as written.
    case unknownReference
    /// A `<` within an attribute's value: kept as written.
    case unescapedLessThan
    /// A duplicate attribute in a tag: both are returned.
    case duplicateAttribute
    /// An attribute name with spaces or characters that XML does not allow, as in iOS 8
    /// (ExportFormat §3.6): everything up to `=` is the name.
    case irregularAttributeName
    /// A malformed tag: skipped, up to the next line that begins with `<`.
    case malformedTag
    /// An element without an end tag, ended by an outer one.
    case missingEndTag
    /// An end tag whose element is not open: skipped.
    case unmatchedEndTag
    /// An element or text before or after the root element. The element is returned; the text is
    /// skipped.
    case contentOutsideRoot
    /// A document type that breaks the grammar, as in iOS 16.0 (ExportFormat §3.1): skipped.
    case malformedDocumentType
    /// A default value of an attribute in the document type: not applied.
    case attributeDefault
}
