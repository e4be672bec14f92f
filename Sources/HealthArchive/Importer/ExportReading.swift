import HealthEngine
import HealthStorage

/// What has been read of an export and waits to be written, on its way from thread to thread.
struct ExportLoad: Sendable {
    /// A type met for the first time, with the number that the batch's samples have it under.
    struct MetType: Sendable {
        var identifier: String
        var code: Int32
    }

    /// An element kept as text.
    struct KeptElement: Sendable {
        var xml: String
        var element: String
        var reason: SnapshotWriter.RawReason
        var offset: Int64
        /// What it would be a sample of, if it is one that is wrong by itself.
        var sampleKind: SampleType.Kind?
    }

    var types: [MetType] = []
    var elements: [KeptElement] = []
    /// How much text the elements are.
    var textByteCount = 0
    var batch = SampleBatch()
    var details = PreparedDetails()
    /// The byte of the xml up to which this has been read.
    var offset: Int64 = 0

    var isEmpty: Bool { types.isEmpty && elements.isEmpty && batch.samples.isEmpty }

    /// Writes all of it.
    func write(to writer: SnapshotWriter) throws {
        for type in types {
            guard try writer.type(identifier: type.identifier) == type.code else {
                throw StoreError(.failed, "A type of the export has got another number meanwhile.")
            }
        }
        for kept in elements {
            if let kind = kept.sampleKind {
                try writer.quarantine(
                    kept.xml, element: kept.element, kind: kind, at: kept.offset)
            } else {
                try writer.keep(
                    kept.xml, element: kept.element, reason: kept.reason, at: kept.offset)
            }
        }
        if !batch.samples.isEmpty { try writer.write(batch, details) }
    }
}

extension ExportReader {
    /// The stored number of a type.
    func type(identifier: String) throws -> Int32 {
        let (code, isNew) = numbering.number(of: identifier)
        if isNew { load.types.append(.init(identifier: identifier, code: code)) }
        return code
    }

    /// Keeps an element of the file as text; those that wait are handed on when they are many, also
    /// in the middle of an element.
    func keep(
        _ xml: String, element: String, reason: SnapshotWriter.RawReason, at offset: Int64,
        sampleKind: SampleType.Kind? = nil
    ) throws {
        load.elements.append(
            .init(
                xml: xml, element: element, reason: reason, offset: offset, sampleKind: sampleKind))
        load.textByteCount += xml.utf8.count
        if load.elements.count >= ExportLimits.mostWaitingElements
            || load.textByteCount >= ExportReader.longestBatchText
        {
            try deliverElements()
        }
    }
}
