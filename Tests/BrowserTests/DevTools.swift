import Foundation
import Synchronization

/// The DevTools protocol over a pair of pipes: JSON messages, each terminated by a zero byte.
final class DevTools: Sendable {
    /// An error, in the browser's words.
    struct Failed: Error, CustomStringConvertible {
        var description: String
    }

    /// An event that the browser sent.
    struct Event: Sendable {
        var method: String
        var session: String?
        var message: Data

        func parameters<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try JSONDecoder().decode(Parameters<Value>.self, from: message).params
        }

        private struct Parameters<Value: Decodable>: Decodable { var params: Value }
    }

    /// The timeout for a response or an event, generous enough for a loaded machine.
    static let timeout = Duration.seconds(120)

    private struct State {
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Data, any Error>] = [:]
        var listeners: [@Sendable (Event) -> Void] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let input: FileHandle

    init(chromium path: String) throws {
        let (commands, answers) = (Pipe(), Pipe())
        input = commands.fileHandleForWriting
        try Chromium.start(path, input: commands, output: answers)
        let output = answers.fileHandleForReading
        // Blocking reads need a separate thread: there are only as many threads for tasks as
        // processors.
        Thread.detachNewThread { [self] in
            var bytes = Data()
            while true {
                let more = output.availableData
                if more.isEmpty { break }
                bytes.append(more)
                while let end = bytes.firstIndex(of: 0) {
                    record(Data(bytes[..<end]))
                    bytes.removeSubrange(...end)
                }
            }
            end()
        }
    }

    /// Adds a listener for all future events.
    func listen(_ listener: @escaping @Sendable (Event) -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Sends a command and waits for its response.
    func send<Value: Decodable>(
        _ method: String, _ parameters: JSONValue = [:], session: String? = nil,
        as type: Value.Type
    ) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let late = Task {
            try await Task.sleep(for: DevTools.timeout)
            fail(id, "\(method) was not answered")
        }
        defer { late.cancel() }
        let message = try await withCheckedThrowingContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiting[id] = continuation }
                return state.hasEnded
            }
            if hasEnded {
                continuation.resume(throwing: Failed(description: "the browser has ended"))
                return
            }
            do {
                try write(id, method, parameters, session)
            } catch {
                fail(id, "\(method) could not be sent: \(error)")
            }
        }
        let reply = try JSONDecoder().decode(Reply<Value>.self, from: message)
        if let error = reply.error { throw Failed(description: "\(method): \(error.message)") }
        guard let result = reply.result else {
            throw Failed(description: "\(method) was answered with nothing")
        }
        return result
    }

    private func write(
        _ id: Int, _ method: String, _ parameters: JSONValue, _ session: String?
    ) throws {
        var message: [String: JSONValue] = [
            "id": .number(Double(id)), "method": .text(method), "params": parameters,
        ]
        if let session { message["sessionId"] = .text(session) }
        try input.write(contentsOf: JSONEncoder().encode(JSONValue.object(message)) + [0])
    }

    private func record(_ message: Data) {
        guard let head = try? JSONDecoder().decode(Head.self, from: message) else { return }
        if let id = head.id {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: message)
        } else if let method = head.method {
            let event = Event(method: method, session: head.sessionId, message: message)
            for listener in state.withLock({ $0.listeners }) { listener(event) }
        }
    }

    private func fail(_ id: Int, _ words: String) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?
            .resume(throwing: Failed(description: words))
    }

    private func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values {
            continuation.resume(throwing: Failed(description: "the browser has ended"))
        }
    }

    private struct Head: Decodable {
        var id: Int?
        var method: String?
        var sessionId: String?
    }

    private struct Reply<Value: Decodable>: Decodable {
        struct Problem: Decodable { var message: String }

        var result: Value?
        var error: Problem?
    }
}

/// A response without content.
struct EmptyResult: Decodable {}
