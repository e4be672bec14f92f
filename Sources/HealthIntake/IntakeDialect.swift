package import HealthStorage

/// A format in which phone apps send health data.
package enum IntakeDialect: String, Sendable, CaseIterable {
    /// The SDK of Open Wearables, versions 0.6 and 0.13.
    case openWearables = "open-wearables"
    /// Automations “REST API” of Health Auto Export.
    case healthAutoExport = "health-auto-export"
    /// Open Health Exporter, `ohe.wire/1`.
    case openHealthExporter = "open-health-exporter"
    /// HealthSave, versions 1 and 2 of its batches.
    case healthSave = "healthsave"
    /// This project's own protocol, version 1 (Documentation/Protocol.md).
    case changes
}

/// A request that a phone app sent: the format, the header fields and the body.
package struct IntakeRequest: Sendable {
    package var dialect: IntakeDialect
    package var headers: IntakeHeaders
    package var body: IntakeBody
    /// When the request arrived, in reference seconds.
    package var receivedAt: Double

    package init(
        _ dialect: IntakeDialect, _ body: IntakeBody, headers: IntakeHeaders = IntakeHeaders(),
        receivedAt: Double
    ) {
        self.dialect = dialect
        self.headers = headers
        self.body = body
        self.receivedAt = receivedAt
    }

    /// Reads the body, and passes its records on in pages.
    ///
    /// The same body gives the same records in the same order, so a resent body can be continued.
    ///
    /// - Parameters:
    ///   - firstRecord: The number of records to skip, because they are stored already.
    ///   - limit: The maximum number of records of a page.
    ///   - sink: Receives each page, in order. An error that it throws ends the reading.
    /// - Returns: The number of records of the body.
    /// - Throws: ``IntakeError`` if the body, or the rest of it, can't be read; errors of `sink`.
    ///   Pages that were passed on before stay valid.
    /// - Complexity: O(bytes of the body), with memory for one page.
    package func readPages(
        after firstRecord: Int = 0, limit: Int = 10_000,
        _ sink: @escaping (IntakeBatch) throws -> Void
    ) throws -> Int {
        var pages = IntakePages(after: firstRecord, limit: limit, sink)
        switch dialect {
        case .openWearables: try OpenWearablesReader(self).read(into: &pages)
        case .healthAutoExport: try HealthAutoExportReader(self).read(into: &pages)
        case .openHealthExporter: try OpenHealthExporterReader(self).read(into: &pages)
        case .healthSave: try HealthSaveReader(self).read(into: &pages)
        case .changes: try ChangesReader(self).read(into: &pages)
        }
        try pages.finish()
        return pages.recordCount
    }
}
