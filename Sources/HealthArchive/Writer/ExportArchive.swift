public import HealthEngine

/// A zip with the layout of an iPhone's export: `apple_health_export/export.xml` and
/// `apple_health_export/workout-routes/….gpx`.
///
/// ```swift
/// let header = ExportHeader(locale: "en_US", exportDate: now, offset: 3600)
/// var archive = try ExportArchive(path: "\(folder)/export.zip", header: header)
/// for batch in batches { try archive.write(batch) }
/// let tally = try archive.finish()
/// ```
/// Batches may come in any order of types; Apple groups by type. A correlation's members are
/// written twice, at top level and inside it, as Apple does. A workout's records and routes are
/// written inside it only. Numbers have the shortest digits that parse to the same double. Dates
/// are whole seconds at the header's UTC offset. ``ExportTally`` has the numbers of samples, route
/// points and characters without a form in an export, which are left out.
///
/// Equal calls produce equal bytes with the same version of zlib. Memory holds one batch or one
/// route file: route files are buffered in an unlinked temporary file beside the zip until
/// `export.xml` is complete. An unfinished zip is not a valid archive.
public struct ExportArchive {
    /// How the data of a file in the zip is stored.
    public enum Compression: Hashable, Sendable {
        /// Without compression.
        case stored
        /// Deflated, at a zlib level from 1 (fastest) to 9 (smallest). Other levels are clamped.
        case deflated(level: Int)
    }

    private static let folder = "apple_health_export/"

    private let zip: ZipWriter
    private let routes: RouteSpool
    private var writer: ExportWriter<ArchiveError>

    /// Creates the zip, or truncates an existing file.
    ///
    /// - Parameters:
    ///   - path: The file to write.
    ///   - header: The data at the head of `export.xml`. Its export date, at its UTC offset, is the
    ///     modification time of all files in the zip.
    ///   - compression: The compression of `export.xml`. Level 1 is about three times as fast as 6,
    ///     and the file is about a third larger.
    ///   - types: Returns the types that the catalogue lacks, by the store's code; nil for an
    ///     unknown code.
    /// - Throws: ``ArchiveError`` with `unwritable`.
    public init(
        path: String, header: ExportHeader,
        compression: Compression = .deflated(level: 4),
        types: @escaping (Int32) -> SampleType? = { _ in nil }
    ) throws(ArchiveError) {
        let zip = try ZipWriter(path: path, modified: Self.timestamp(header))
        let routes = try RouteSpool(beside: path)
        try zip.begin(Self.folder + "export.xml", compression: compression)
        self.zip = zip
        self.routes = routes
        writer = ExportWriter(
            header: header, types: types,
            routes: { (name, bytes) throws(ArchiveError) in
                try routes.append("workout-routes/" + name, bytes)
            },
            records: { (name, bytes) throws(ArchiveError) in
                try routes.append(ClinicalRecordNames.folder + name, bytes)
            },
            sink: { (bytes) throws(ArchiveError) in try zip.write(bytes) })
    }

    /// Writes the samples of a batch. Those without a form in an export are left out and counted.
    ///
    /// - Parameter batch: The samples, with correlations and workouts in the same batch as their
    ///   members.
    /// - Throws: ``ArchiveError`` with `unwritable`.
    /// - Complexity: O(*n*) in the samples of the batch.
    public mutating func write(_ batch: SampleBatch) throws(ArchiveError) {
        try writer.write(batch)
    }

    /// Writes a top-level element unchanged; see ``ExportWriter/write(rawElement:)``.
    ///
    /// - Parameter xml: The element.
    /// - Throws: ``ArchiveError`` with `unwritable`.
    package mutating func write(rawElement xml: String) throws(ArchiveError) {
        try writer.write(rawElement: xml)
    }

    /// The paths of the files of clinical records so far, below `apple_health_export/`.
    package var recordPaths: Set<String> { writer.recordNames.paths }

    /// Ends `export.xml`, adds the route files and closes the zip.
    ///
    /// - Returns: The counts of what was written and left out.
    /// - Throws: ``ArchiveError``: `unwritable`, or `unusableName` for a route file.
    /// - Complexity: O(*n*) in the bytes of the route files.
    public mutating func finish() throws(ArchiveError) -> ExportTally {
        let tally = try finishRecords()
        try close()
        return tally
    }

    /// Ends `export.xml` and adds the files of routes and clinical records. Other files may be added
    /// before ``close()``.
    ///
    /// - Returns: The counts of what was written and left out.
    /// - Throws: ``ArchiveError``: `unwritable`, or `unusableName` for a route file.
    /// - Complexity: O(*n*) in the bytes of the route files.
    package mutating func finishRecords() throws(ArchiveError) -> ExportTally {
        let tally = try writer.finish()
        try routes.forEach { (name, bytes) throws(ArchiveError) in
            try zip.begin(Self.folder + name)
            try zip.write(bytes)
        }
        return tally
    }

    /// Adds a file, compressed at level 6. Call this after ``finishRecords()`` and before
    /// ``close()``.
    ///
    /// - Parameters:
    ///   - name: The path below `apple_health_export/`, for example
    ///     "electrocardiograms/ecg_2024-03-10.csv".
    ///   - bytes: The contents.
    /// - Throws: ``ArchiveError``: `unwritable`, or `unusableName` if the path is unsafe or a
    ///   duplicate.
    package func add(_ name: String, _ bytes: [UInt8]) throws(ArchiveError) {
        try zip.begin(Self.folder + name)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { buffer.deallocate() }
        buffer.copyBytes(from: bytes)
        try zip.write(UnsafeRawBufferPointer(buffer))
    }

    /// Begins a file whose bytes ``append(_:)`` adds, with the conditions of ``add(_:_:)``.
    ///
    /// - Parameter name: The path below `apple_health_export/`.
    /// - Throws: ``ArchiveError`` as ``add(_:_:)``.
    package func begin(_ name: String) throws(ArchiveError) { try zip.begin(Self.folder + name) }

    /// Adds bytes to the file that ``begin(_:)`` began.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: ``ArchiveError`` with `unwritable`.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        try zip.write(bytes)
    }

    /// Writes the zip's directory and synchronizes the file to disk. Call this once, last.
    ///
    /// - Throws: ``ArchiveError`` with `unwritable`.
    package func close() throws(ArchiveError) { try zip.finish() }

    private static func timestamp(_ header: ExportHeader) -> ZipTimestamp {
        let seconds = ExportText.writable(header.exportDate)
        let (date, second) = CivilDate.split(seconds: seconds + header.offset)
        return ZipTimestamp(
            year: date.year, month: date.month, day: date.day, hour: second / 3600,
            minute: second / 60 % 60,
            second: second % 60)
    }
}
