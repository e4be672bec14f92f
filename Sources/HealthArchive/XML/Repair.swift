/// A defect of an XML file that the scanner repaired, skipped or only reported.
///
/// Each occurrence in start tags and texts is counted. In a document type, each kind of defect
/// counts as one. The raw value is the name in reports.
public enum Repair: String, CaseIterable, Hashable, Sendable {
    /// A character that XML forbids, raw or as a reference such as `&#11;`: removed.
    case controlCharacter
    /// Invalid UTF-8: each maximal invalid subsequence, as Unicode defines it, became U+FFFD.
    case invalidUTF8
    /// A bare `&`, a reference to an entity that XML doesn't predefine, or to no Unicode scalar
    /// value: kept as written.
    case unknownReference
    /// A `<` within an attribute's value: kept as written.
    case unescapedLessThan
    /// An attribute with the name of an earlier one in the tag: both are returned.
    case duplicateAttribute
    /// An attribute name with spaces or characters that XML does not allow, as in iOS 8
    /// (ExportFormat §3.6): everything up to `=` is the name.
    case irregularAttributeName
    /// Malformed markup: skipped, up to the next line that begins with markup.
    case malformedTag
    /// An element without an end tag, ended by the end of an outer one, or by an element that can't
    /// be nested in it.
    case missingEndTag
    /// An end tag whose element is not open: skipped.
    case unmatchedEndTag
    /// A further root element, or text before or after the root element. The element is returned;
    /// the text is skipped.
    case contentOutsideRoot
    /// A document type that is malformed, as in iOS 16.0 (ExportFormat §3.1), or that follows the
    /// root element's start: skipped.
    case malformedDocumentType
    /// A default value of an attribute in the document type: not applied.
    case attributeDefault
}
