import Dispatch
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The lines of a file descriptor. They are read by a thread of its own, because reading blocks,
/// and no faster than they are handled.
final class LineInput: Sendable {
    /// The lines, to the end of the input.
    let events: AsyncStream<LineSplitter.Event>
    private let descriptor: Int32
    private let continuation: AsyncStream<LineSplitter.Event>.Continuation
    /// The number of lines that may wait.
    private let room = DispatchSemaphore(value: 4)

    init(descriptor: Int32) {
        self.descriptor = descriptor
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Starts reading. Call it once.
    func start() { Thread { self.read() }.start() }

    /// Makes room for another line. Call it for each event when it has been handled.
    func handled() { room.signal() }

    private func read() {
        defer { continuation.finish() }
        var splitter = LineSplitter()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes {
                Foundation.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // The other end has made the pipe nonblocking.
                usleep(10_000)
                continue
            }
            guard count > 0 else { break }
            for event in splitter.receive(buffer[..<count]) { yield(event) }
        }
        if let last = splitter.finish() { yield(last) }
    }

    private func yield(_ event: LineSplitter.Event) {
        room.wait()
        continuation.yield(event)
    }
}
