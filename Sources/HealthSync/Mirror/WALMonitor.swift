#if os(iOS) || os(watchOS) || os(visionOS)
    import Darwin
    import Dispatch
    import Foundation

    /// Reports writes to a database's log, its "-wal" file, by any process: the app, a widget or an
    /// extension. Nothing runs while nothing is written.
    ///
    /// Every commit is a write to the log. The log is the same file for as long as this process has
    /// the database open.
    final class WALMonitor {
        /// A stream with one element after one or more writes.
        let writes: AsyncStream<Void>
        private let source: any DispatchSourceFileSystemObject

        /// Milliseconds between checks after a write. A commit becomes visible some time after its
        /// last write to the log, on a slow disk much later.
        static let delays = [5, 20, 50, 100, 200] + Array(repeating: 250, count: 8)

        /// Watches the log of an open database until ``end()``; nil if the log cannot be opened.
        init?(of database: URL) {
            let descriptor = open(database.path + "-wal", O_EVTONLY)
            guard descriptor >= 0 else { return nil }
            let (writes, continuation) = AsyncStream.makeStream(
                of: Void.self, bufferingPolicy: .bufferingNewest(1))
            self.writes = writes
            source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: [.write, .extend],
                queue: DispatchQueue(label: "org.openhealthkit.log", qos: .utility))
            source.setEventHandler { continuation.yield() }
            // Closing a descriptor of the database file would release SQLite's locks on it. SQLite
            // does not lock the log.
            source.setCancelHandler { _ = close(descriptor) }
            source.activate()
        }

        func end() { source.cancel() }
    }
#endif
