import HealthStorage

/// What an export holds beside its samples, known when all of it has been read.
struct ExportReading: Sendable {
    var completeness: SnapshotCompleteness
    var tally: ReadingTally
    /// Records by the IANA zone in their HKTimeZone.
    var zoneVotes: [String: Int]
    var characteristics: [String: String]
    /// The files beside the xml that its elements have asked for.
    var usedFiles: Set<String>

    /// Reads an export into a writer. Inflating, parsing and writing each have a thread, the last one
    /// that of the caller; what is written, and in which order, is the same as without.
    ///
    /// Whichever of them fails first ends the others: their threads are gone when this returns.
    ///
    /// - Parameter progress: told now and then up to which byte of the xml all is written.
    /// - Throws: ``ArchiveError`` for a file that can't be read on, `StoreError` for the store.
    static func run(
        _ source: ExportSource, into writer: SnapshotWriter, progress: (Int64) -> Void
    ) throws -> ExportReading {
        let (numbering, room) = (try writer.typeNumbering(), try writer.sourceRoom())
        let deliveries = Conveyor<Delivery, any Error>(capacity: mostLoads)
        deliveries.start("reading") { deliveries in
            let stream = ReadAheadStream { () throws(ArchiveError) in try source.open() }
            let reader = try ExportReader(
                ElementScanner(reading: stream, name: source.name), files: CompanionFiles(source),
                numbering: numbering, room: room
            ) { load in
                if !deliveries.put(.load(load)) { throw Abandoned() }
            }
            if !deliveries.put(.end(try reader.read())) { throw Abandoned() }
        }
        defer { deliveries.stop() }
        while let delivery = try deliveries.take() {
            switch delivery {
            case .load(let load):
                try load.write(to: writer)
                progress(load.offset)
            case .end(let reading):
                writer.setCharacteristics(reading.characteristics)
                return reading
            }
        }
        throw StoreError(.failed, "The export was not read to its end.")
    }

    /// Beside the one being read and the one being written.
    private static let mostLoads = 2

    private enum Delivery: Sendable {
        case load(ExportLoad)
        case end(ExportReading)
    }

    /// Ends the reader when nobody writes any more; nobody sees it.
    private struct Abandoned: Error {}
}
