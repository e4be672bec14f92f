public import HealthEngine

/// An export as a phone hands it over: a zip of `apple_health_export/export.xml` and
/// `apple_health_export/workout-routes/….gpx`.
///
/// ```swift
/// var archive = try ExportArchive(path: "export.zip", header: header)
/// for batch in batches { try archive.write(batch) }
/// let tally = try archive.finish()
/// ```
/// Equal calls give equal bytes. Memory is flat: route files wait in a nameless temporary file
/// beside the zip until `export.xml` has ended. Errors are the file system's; a zip that isn't
/// finished is no archive.
public struct ExportArchive {
    private static let folder = "apple_health_export/"

    private let zip: ZipWriter
    private let routes: RouteSpool
    private var writer: ExportWriter<ArchiveError>

    /// Creates the zip, or empties the one that is there.
    ///
    /// - Parameters:
    ///   - types: Finds types the catalogue doesn't know, by the code their store gave them.
    ///   - compression: Level 1 is three times as fast as 6 and a third larger.
    public init(
        path: String, header: ExportHeader,
        compression: ZipWriter.Compression = .deflated(level: 4),
        types: @escaping (Int32) -> SampleType? = { _ in nil }
    ) throws(ArchiveError) {
        let zip = try ZipWriter(path: path, modified: Self.timestamp(header))
        let routes = try RouteSpool(beside: path)
        try zip.begin(Self.folder + "export.xml", compression: compression)
        self.zip = zip
        self.routes = routes
        writer = ExportWriter(
            header: header, types: types,
            routes: { (name, bytes) throws(ArchiveError) in try routes.append(name, bytes) },
            sink: { (bytes) throws(ArchiveError) in try zip.write(bytes) })
    }

    /// Writes every sample of a batch; see ``ExportWriter/write(_:)``.
    public mutating func write(_ batch: SampleBatch) throws(ArchiveError) {
        try writer.write(batch)
    }

    /// Writes an element at top level as it is; see ``ExportWriter/write(rawElement:)``.
    public mutating func write(rawElement xml: String) throws(ArchiveError) {
        try writer.write(rawElement: xml)
    }

    /// Ends `export.xml`, adds the route files and closes the zip.
    public mutating func finish() throws(ArchiveError) -> ExportTally {
        let tally = try finishRecords()
        try close()
        return tally
    }

    /// Ends `export.xml` and adds the route files; other files may follow, then ``close()``.
    public mutating func finishRecords() throws(ArchiveError) -> ExportTally {
        let tally = try writer.finish()
        try routes.forEach { (name, bytes) throws(ArchiveError) in
            try zip.begin(Self.folder + "workout-routes/\(name)")
            try zip.write(bytes)
        }
        return tally
    }

    /// Adds a file by its path in the export, "electrocardiograms/ecg_2024-03-10.csv".
    public func add(_ name: String, _ bytes: [UInt8]) throws(ArchiveError) {
        try zip.begin(Self.folder + name)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { buffer.deallocate() }
        buffer.copyBytes(from: bytes)
        try zip.write(UnsafeRawBufferPointer(buffer))
    }

    /// Closes the zip.
    public func close() throws(ArchiveError) { try zip.finish() }

    private static func timestamp(_ header: ExportHeader) -> ZipTimestamp {
        let seconds = ExportText.writable(header.exportDate)
        let (date, second) = CivilDate.split(seconds: seconds + header.offset)
        return ZipTimestamp(
            year: date.year, month: date.month, day: date.day, hour: second / 3600,
            minute: second / 60 % 60,
            second: second % 60)
    }
}
