import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A connection between a primary session and its mirror, which delivers messages in order.
///
/// The channel keeps itself and its handler alive until the connection is closed, by either side or
/// by the end of the other process.
final class MirrorChannel: Sendable {
    enum Event: Sendable {
        case message(MirrorMessage)
        /// The connection is closed; the last event.
        case closed
    }

    typealias Completion = @Sendable (Bool, (any Error)?) -> Void

    private struct State {
        var source: (any DispatchSourceRead)?
        var isClosed = false
        var lastNumber = 0
        /// The completions of data that haven't arrived yet.
        var pending: [Int: Completion] = [:]
    }

    /// How long the other process may leave its buffer full, in milliseconds of real time.
    private static let writeTimeout: Int32 = 10_000

    private let descriptor: Int32
    private let state = Locked(State())
    private let readQueue = DispatchQueue(
        label: "org.openhealthkit.mirror.reading", qos: .userInitiated)
    private let writeQueue = DispatchQueue(
        label: "org.openhealthkit.mirror.writing", qos: .userInitiated)

    /// Creates a channel, which owns the descriptor of a connected socket. Call ``start(_:)`` once.
    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Starts to read.
    ///
    /// - Parameter handler: Receives the events in order, on a serial queue.
    func start(_ handler: @escaping @Sendable (Event) -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: readQueue)
        let buffer = Locked(Data())
        source.setEventHandler { [self] in
            // Not read while the lock is held, because the handler is called.
            var data = buffer { $0 }
            let isOpen = read(into: &data, handler)
            buffer.exchange(data)
            if !isOpen { source.cancel() }
        }
        source.setCancelHandler { [self] in
            finish()
            handler(.closed)
        }
        state { $0.source = source }
        source.resume()
    }

    /// Sends a message. A message to a closed channel has no effect.
    func send(_ message: MirrorMessage) {
        guard let frame = message.frame else { return }
        writeQueue.async { [self] in if !write(frame) { close() } }
    }

    /// Sends data and reports when the other process has received them.
    func send(_ data: Data, _ completion: @escaping Completion) {
        let number = state { state -> Int? in
            if state.isClosed { return nil }
            state.lastNumber += 1
            state.pending[state.lastNumber] = completion
            return state.lastNumber
        }
        guard let number else { return completion(false, HKError.disconnected) }
        send(.data(number: number, data))
    }

    /// Closes the channel after the messages that were sent before.
    func closeAfterSending() { writeQueue.async { [self] in close() } }

    /// Closes the channel.
    func close() {
        // The reader gets the end of the stream, cancels its source and closes the descriptor.
        state { if !$0.isClosed { shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    private func finish() {
        let pending = state { state in
            defer { state.pending = [:] }
            state.isClosed = true
            state.source = nil
            return state.pending
        }
        // After the last write, so that none goes to a reused descriptor.
        writeQueue.async { [descriptor] in _ = systemClose(descriptor) }
        for completion in pending.values { completion(false, HKError.disconnected) }
    }

    /// Reads and handles what is available.
    ///
    /// - Returns: False at the end of the stream, and after bytes that are no message.
    private func read(into buffer: inout Data, _ handler: (Event) -> Void) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return errno == EAGAIN || errno == EWOULDBLOCK }
            if count == 0 { return false }
            buffer.append(contentsOf: bytes[..<count])
            do {
                while let message = try MirrorMessage.next(in: &buffer) {
                    handle(message, handler)
                }
            } catch { return false }
        }
    }

    private func handle(_ message: MirrorMessage, _ handler: (Event) -> Void) {
        switch message {
        case .received(let number):
            state { $0.pending.removeValue(forKey: number) }?(true, nil)
        case .data(let number, _):
            handler(.message(message))
            send(.received(number: number))
        default: handler(.message(message))
        }
    }

    private func write(_ frame: Data) -> Bool {
        guard !state({ $0.isClosed }) else { return false }
        return frame.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let bytes = UnsafeRawBufferPointer(rebasing: rest)
                let count = LocalSocket.write(bytes, to: descriptor)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN || errno == EWOULDBLOCK {
                    var file = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    if poll(&file, 1, Self.writeTimeout) == 0 { return false }
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }
}

/// `close` of the system, which the method of the same name hides.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

extension HKError {
    /// The error without a connected device.
    static var disconnected: HKError {
        HKError(
            .errorHealthDataUnavailable, "No other device is connected to the workout session.")
    }
}
