import HealthEngine

/// An entry of a body as the passes before the reading see it: where it is, and which record.
struct OpenHealthExporterEntry {
    enum Role { case header, record, footer }

    let role: Role
    /// The kind of the record; empty if it has none.
    let kind: String
    let uuid: SampleUUID?
    /// The UUID of the workout or reading that a series belongs to.
    let parent: SampleUUID?
    let place: Range<Int>

    /// Reads the names of an entry, and skips its contents.
    init(_ place: OpenHealthExporterBody.Place, _ reader: inout JSONReader) throws {
        let isObject = try reader.nextKind() == .object
        let start = reader.offset
        var (kind, uuid, parent) = ("", "", "")
        if isObject {
            try reader.readObject { name, reader in
                switch name {
                case "kind": kind = try reader.readValue().string ?? ""
                case "uuid": uuid = try reader.readValue().string ?? ""
                case "parentUuid": parent = try reader.readValue().string ?? ""
                default: try reader.skipValue()
                }
            }
        } else {
            try reader.skipValue()
        }
        switch (place, kind) {
        case (.header, _), (.line, "batch.header"): role = .header
        case (.footer, _), (.line, "batch.footer"): role = .footer
        default: role = .record
        }
        self.kind = kind
        self.uuid = SampleUUID(uuid)
        self.parent = SampleUUID(parent)
        self.place = start..<reader.offset
    }
}
