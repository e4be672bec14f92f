package import HealthCalendar

extension JSONText {
    /// Returns the facts about an attachment, without its bytes: `{"identifier":"…",
    /// "name":"Prescription","contentType":"com.adobe.pdf","size":81920,"created":"…"}`.
    ///
    /// - Parameters:
    ///   - attachment: The attachment.
    ///   - calendar: The time zone of the times.
    /// - Returns: A JSON object.
    package static func attachment(
        _ attachment: StoredAttachment, _ calendar: CalendarBuckets
    ) -> JSONText {
        .object([
            "identifier": .string("\(attachment.identifier)"), "name": .string(attachment.name),
            "contentType": attachment.contentType.map(JSONText.string),
            "size": .integer(Int(clamping: attachment.size)),
            "created": .string(calendar.text(attachment.created)),
            "metadata": attachment.metadata.isEmpty
                ? nil : metadata(attachment.metadata, calendar),
        ])
    }
}
