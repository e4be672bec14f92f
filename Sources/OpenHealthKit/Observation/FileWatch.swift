import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Being told when a database file, or its log beside it, is written, made, renamed or removed.
///
/// Costs nothing while nothing happens. What is mapped into memory is written unseen, and so is what
/// another machine writes over a network: whoever must miss nothing also looks by itself, seldom.
/// Linux only; elsewhere there is never a watch. It ends when it is let go.
final class FileWatch: Sendable {
    enum Event: Sendable {
        /// Something was written, or may have been.
        case written
        /// The folder is gone, or out of sight: nothing more will be told.
        case ended
    }

    #if os(Linux)
        private let place: FolderEvents.Place

        /// Watches the folder of `path` for events of that file and of those named after it with a
        /// hyphen ("health.sqlite-wal"), there already or not.
        ///
        /// - Parameter body: Called on a background queue that all watches share, for all that
        ///   happened within some 20 ms once.
        /// - Returns: Nil where the system refuses: no folder, no permission, a limit reached.
        init?(path: String, _ body: @escaping @Sendable (Event) -> Void) {
            let cut = path.lastIndex(of: "/")
            let name = String(path[(cut.map { path.index(after: $0) } ?? path.startIndex)...])
            let folder = cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            guard let place = FolderEvents.shared.add(folder, name, body) else { return nil }
            self.place = place
        }

        deinit { FolderEvents.shared.remove(place) }
    #else
        init?(path: String, _ body: @escaping @Sendable (Event) -> Void) { return nil }
    #endif
}

#if os(Linux)
    /// The process's one inotify instance (a person may have 128 of them), made at the first watch and
    /// kept: closing it takes longer than stores that come and go.
    private final class FolderEvents: Sendable {
        static let shared = FolderEvents()

        struct Place: Sendable {
            let folder: Int32
            let number: Int
        }

        private struct Listener: Sendable {
            let name: [UInt8]
            let body: @Sendable (FileWatch.Event) -> Void

            func isMeant(by other: Slice<UnsafeRawBufferPointer>) -> Bool {
                other.starts(with: name)
                    && (other.count == name.count
                        || other[other.startIndex + name.count] == UInt8(ascii: "-"))
            }
        }

        private struct State {
            var instance: Int32?
            var source: (any DispatchSourceRead)?
            /// By the kernel's number of the watch, which it never gives again.
            var folders: [Int32: [Int: Listener]] = [:]
            var lastNumber = 0
        }

        /// Microseconds between two readings: a folder that is written all the time costs little.
        private static let rest: UInt32 = 20_000
        private static let mask =
            IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
            | IN_ONLYDIR

        private let queue = DispatchQueue(label: "org.openhealthkit.files", qos: .utility)
        private let state = Locked(State())

        func add(
            _ folder: String, _ name: String,
            _ body: @escaping @Sendable (FileWatch.Event) -> Void
        ) -> Place? {
            state { state in
                guard let instance = state.instance ?? open(&state) else { return nil }
                let watch = inotify_add_watch(instance, folder, UInt32(Self.mask))
                guard watch >= 0 else { return nil }
                state.lastNumber += 1
                state.folders[watch, default: [:]][state.lastNumber] = Listener(
                    name: Array(name.utf8), body: body)
                return Place(folder: watch, number: state.lastNumber)
            }
        }

        func remove(_ place: Place) {
            let gone = state { state -> Listener? in
                let gone = state.folders[place.folder]?.removeValue(forKey: place.number)
                if state.folders[place.folder]?.isEmpty == true {
                    state.folders[place.folder] = nil
                    if let instance = state.instance { inotify_rm_watch(instance, place.folder) }
                }
                return gone
            }
            // Let go outside the lock: with it may go what its body holds.
            withExtendedLifetime(gone) {}
        }

        private func open(_ state: inout State) -> Int32? {
            let instance = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard instance >= 0 else { return nil }
            let source = DispatchSource.makeReadSource(fileDescriptor: instance, queue: queue)
            source.setEventHandler {
                self.tell(of: instance)
                usleep(Self.rest)
            }
            source.resume()
            (state.instance, state.source) = (instance, source)
            return instance
        }

        /// Reads what has happened, and calls everyone concerned once.
        private func tell(of instance: Int32) {
            var told: [Int: (body: @Sendable (FileWatch.Event) -> Void, event: FileWatch.Event)]
            told = [:]
            withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
                for _ in 0..<64 {
                    let count = read(instance, buffer.baseAddress, buffer.count)
                    guard count > 0 else { return }
                    let events = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    state { state in
                        Self.collect(events, &state) { told[$0] = ($1.body, $2) }
                    }
                }
            }
            for (body, event) in told.values { body(event) }
        }

        private static func collect(
            _ events: UnsafeRawBufferPointer, _ state: inout State,
            _ found: (Int, Listener, FileWatch.Event) -> Void
        ) {
            let header = MemoryLayout<inotify_event>.size
            var offset = 0
            while offset + header <= events.count {
                let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let name = events[(offset + header)..<(offset + header + Int(event.len))]
                    .prefix { $0 != 0 }
                offset += header + Int(event.len)
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    for folder in state.folders.values {
                        for (number, listener) in folder { found(number, listener, .written) }
                    }
                } else if event.mask & UInt32(IN_IGNORED) != 0 {
                    let ended = state.folders.removeValue(forKey: event.wd) ?? [:]
                    for (number, listener) in ended { found(number, listener, .ended) }
                } else {
                    for (number, listener) in state.folders[event.wd] ?? [:]
                    where listener.isMeant(by: name) { found(number, listener, .written) }
                }
            }
        }
    }
#endif
