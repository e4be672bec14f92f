import HealthEngine
package import HealthStorage

/// The first line of a request of this project's own protocol: which page it is.
package struct ChangesHeader: Hashable, Sendable {
    /// The sender's positions before and after the page.
    package let cursor: IntakeCursor
    /// The identifier of the type of which the sender has sent, with this page, all samples that it
    /// can read; nil if it doesn't say so.
    package let completeType: String?
    /// The sender's time zone as it is written; nil for none and for a text of any other length than
    /// that of names.
    package let timeZone: String?
    /// The statement of what is complete; nil without one, and for an unknown type.
    package let completion: IntakeCompletion?

    /// The maximum length of streams and cursors, in UTF-8.
    package static let maximumLength = 200

    /// Reads the first line.
    ///
    /// - Throws: ``IntakeError/notThisDialect(expected:)`` for another one.
    init(from reader: inout JSONReader) throws {
        guard try reader.nextKind() == .object else { throw ChangesHeader.missing }
        let line = try reader.readValue()
        guard line["kind"] == .string("page") else { throw ChangesHeader.missing }
        guard line["version"] == .number(1) else {
            throw IntakeError.notThisDialect(expected: "“version” 1 in its first line")
        }
        guard let stream = ChangesHeader.name(line["stream"]),
            let to = ChangesHeader.name(line["to"])
        else { throw IntakeError.notThisDialect(expected: "valid “stream” and “to”") }
        var from: String?
        if let value = line["from"] {
            guard let name = ChangesHeader.name(value) else {
                throw IntakeError.notThisDialect(expected: "valid “from”")
            }
            from = name
        }
        cursor = IntakeCursor(stream: stream, from: from, to: to)
        timeZone = ChangesHeader.name(line["timeZone"])
        (completeType, completion) = try ChangesHeader.complete(line["complete"])
    }

    /// Reads the identifier of a type, or an object with type, source and times. An invalid one is
    /// an error: read in another sense, it would remove samples.
    private static func complete(
        _ value: JSONValue?
    ) throws -> (type: String?, completion: IntakeCompletion?) {
        guard let value else { return (nil, nil) }
        let invalid = IntakeError.notThisDialect(expected: "valid “complete”")
        guard let identifier = value.string ?? value["type"]?.string, !identifier.isEmpty else {
            throw invalid
        }
        var completion = IntakeCompletion(
            type: Catalogue.type(identifier: identifier)?.code ?? 0)
        do throws(UnreadableRecord) {
            completion.from = try ChangesFields.optionalInstant(value["from"], "from")
            completion.to = try ChangesFields.optionalInstant(value["to"], "to")
        } catch { throw invalid }
        if let from = completion.from, let to = completion.to, from > to { throw invalid }
        if let source = value["source"] {
            completion.bundleIdentifier = source["bundleIdentifier"]?.string
            completion.sourceName = source["name"]?.string
            if completion.bundleIdentifier == nil, completion.sourceName == nil { throw invalid }
        }
        return (identifier, completion.type == 0 ? nil : completion)
    }

    private static let missing = IntakeError.notThisDialect(
        expected: "first line of kind “page”")

    private static func name(_ value: JSONValue?) -> String? {
        guard let text = value?.string, (1...maximumLength).contains(text.utf8.count) else {
            return nil
        }
        return text
    }
}
