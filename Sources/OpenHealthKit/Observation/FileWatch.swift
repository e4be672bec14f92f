import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Watches a database file and the files that belong to it, such as its write-ahead log, for
/// changes through inotify.
///
/// A watch without events costs no time. Writes through mapped memory and writes by other machines
/// to a network file system cause no events; a caller that must not miss them also has to poll. On
/// systems other than Linux the initializer returns nil. The watch ends when it is released.
package final class FileWatch: Sendable {
    package enum Event: Sendable {
        /// A file was written, created, renamed or removed, or events were lost.
        case written
        /// The folder was removed or is no longer watched: no more events follow.
        case ended
    }

    #if os(Linux)
        private let registration: InotifyInstance.Registration

        /// Watches a file and the files in its folder whose names begin with its name and a hyphen,
        /// such as "health.sqlite-wal". The files do not have to exist yet, the folder does.
        ///
        /// - Parameters:
        ///   - path: The path of the file.
        ///   - body: Called on a background queue that all watches share. Events within about 20 ms
        ///     are combined into one call.
        /// - Returns: Nil if the system refuses: no such folder, no permission, or a limit reached.
        package init?(path: String, _ body: @escaping @Sendable (Event) -> Void) {
            let separator = path.lastIndex(of: "/")
            let name = String(path[(separator.map { path.index(after: $0) } ?? path.startIndex)...])
            let folder = separator.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            guard let registration = InotifyInstance.shared.add(folder, name, body) else {
                return nil
            }
            self.registration = registration
        }

        deinit { InotifyInstance.shared.remove(registration) }
    #else
        package init?(path: String, _ body: @escaping @Sendable (Event) -> Void) { return nil }
    #endif
}

#if os(Linux)
    /// The inotify instance of the process. All watches share it, because a user is limited to 128
    /// instances by default. The instance is created for the first watch and kept, because closing
    /// it takes longer than opening and closing a store.
    private final class InotifyInstance: Sendable {
        static let shared = InotifyInstance()

        struct Registration: Sendable {
            let folder: Int32
            let number: Int
        }

        private struct Listener: Sendable {
            let name: [UInt8]
            let body: @Sendable (FileWatch.Event) -> Void

            func matches(_ other: Slice<UnsafeRawBufferPointer>) -> Bool {
                other.starts(with: name)
                    && (other.count == name.count
                        || other[other.startIndex + name.count] == UInt8(ascii: "-"))
            }
        }

        private struct State {
            var instance: Int32?
            var source: (any DispatchSourceRead)?
            /// Listeners by the watch descriptor of their folder, which the kernel does not reuse,
            /// and by their number.
            var folders: [Int32: [Int: Listener]] = [:]
            var lastNumber = 0
        }

        /// Microseconds between two reads, which limits the cost of a folder with constant writes.
        private static let readInterval: UInt32 = 20_000
        private static let mask =
            IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
            | IN_ONLYDIR

        private let queue = DispatchQueue(label: "org.openhealthkit.files", qos: .utility)
        private let state = Locked(State())

        func add(
            _ folder: String, _ name: String,
            _ body: @escaping @Sendable (FileWatch.Event) -> Void
        ) -> Registration? {
            state { state in
                guard let instance = state.instance ?? open(&state) else { return nil }
                let watch = inotify_add_watch(instance, folder, UInt32(Self.mask))
                guard watch >= 0 else { return nil }
                state.lastNumber += 1
                state.folders[watch, default: [:]][state.lastNumber] = Listener(
                    name: Array(name.utf8), body: body)
                return Registration(folder: watch, number: state.lastNumber)
            }
        }

        func remove(_ registration: Registration) {
            let removed = state { state -> Listener? in
                let removed = state.folders[registration.folder]?.removeValue(
                    forKey: registration.number)
                if state.folders[registration.folder]?.isEmpty == true {
                    state.folders[registration.folder] = nil
                    if let instance = state.instance {
                        inotify_rm_watch(instance, registration.folder)
                    }
                }
                return removed
            }
            // Released outside the lock: its closure can own other objects.
            withExtendedLifetime(removed) {}
        }

        private func open(_ state: inout State) -> Int32? {
            let instance = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard instance >= 0 else { return nil }
            let source = DispatchSource.makeReadSource(fileDescriptor: instance, queue: queue)
            source.setEventHandler {
                self.deliverEvents(of: instance)
                usleep(Self.readInterval)
            }
            source.resume()
            (state.instance, state.source) = (instance, source)
            return instance
        }

        /// Reads the available events, at most 64 buffers of 16 KiB, and calls each affected
        /// listener once.
        private func deliverEvents(of instance: Int32) {
            var deliveries:
                [Int: (body: @Sendable (FileWatch.Event) -> Void, event: FileWatch.Event)]
            deliveries = [:]
            withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
                for _ in 0..<64 {
                    let count = read(instance, buffer.baseAddress, buffer.count)
                    guard count > 0 else { return }
                    let events = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    state { state in
                        Self.collect(events, &state) { deliveries[$0] = ($1.body, $2) }
                    }
                }
            }
            for (body, event) in deliveries.values { body(event) }
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
                    where listener.matches(name) { found(number, listener, .written) }
                }
            }
        }
    }
#endif
