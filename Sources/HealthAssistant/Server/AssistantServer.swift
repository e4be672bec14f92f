import Foundation
import HealthStorage

/// A server of the Model Context Protocol over a pair of pipes: one message a line.
///
/// Calls run one at a time in the order of their arrival. Everything else is answered at once, also
/// while a call runs.
package actor AssistantServer {
    /// The maximum number of calls that wait. Further lines aren't read until one is answered.
    static let maximumWaiting = 64

    /// Returns what to say about an error of a tool; nil for an error that isn't explained to the
    /// client.
    package typealias Explanation = @Sendable (any Error) -> String?
    /// Writes a line of the log. The answer is only sent if that succeeds.
    package typealias Recording = @Sendable (CallRecord) throws -> Void

    private var session: AssistantSession
    private let explain: Explanation
    private let record: Recording
    /// Writes a line to the client, and returns whether it was written.
    private let write: @Sendable (String) -> Bool

    private var waiting: [AssistantCall] = []
    private var running: (identifier: RPCIdentifier, task: Task<CallOutcome, Never>)?
    /// Whether the answer of the running call is no longer wanted.
    private var isRunningCancelled = false
    private var isWorking = false
    /// Continued when a call is finished.
    private var changes: [CheckedContinuation<Void, Never>] = []

    package init(
        info: AssistantInfo, tools: [AssistantTool], resources: [AssistantResource],
        explain: @escaping Explanation, record: @escaping Recording,
        write: @escaping @Sendable (String) -> Bool
    ) {
        session = AssistantSession(info: info, tools: tools, resources: resources)
        self.explain = explain
        self.record = record
        self.write = write
    }

    /// Serves until the input ends, or until the client doesn't read any more.
    ///
    /// - Parameter descriptor: The file descriptor of the input.
    package func serve(from descriptor: Int32) async {
        let input = LineInput(descriptor: descriptor)
        input.start()
        for await event in input.events {
            await receive(event)
            input.handled()
        }
        while isWorking { await nextChange() }
    }

    private func receive(_ event: LineSplitter.Event) async {
        guard case .line(let line) = event else {
            let error = RPCError.invalidRequest("The line is longer than 16 MiB.")
            return send(RPCResponse(outcome: .failure(error)))
        }
        switch session.receive(line: line) {
        case .nothing: break
        case .answer(let response): send(response)
        case .cancel(let identifier): cancel(identifier)
        case .call(let call):
            let isKnown =
                running?.identifier == call.identifier
                || waiting.contains { $0.identifier == call.identifier }
            if isKnown {
                let error = RPCError.invalidRequest("A request with this id is not finished.")
                return send(RPCResponse(identifier: call.identifier, outcome: .failure(error)))
            }
            while waiting.count >= AssistantServer.maximumWaiting { await nextChange() }
            waiting.append(call)
            if isWorking { return }
            isWorking = true
            Task { await work() }
        }
    }

    private func nextChange() async { await withCheckedContinuation { changes.append($0) } }

    private func cancel(_ identifier: RPCIdentifier) {
        if let running, running.identifier == identifier {
            isRunningCancelled = true
            running.task.cancel()
        }
        for call in waiting where call.identifier == identifier {
            try? record(CallRecord(call, .cancelled, bytes: 0, milliseconds: 0, at: .now))
        }
        waiting.removeAll { $0.identifier == identifier }
    }

    // MARK: - Calls

    private func work() async {
        while !waiting.isEmpty {
            let call = waiting.removeFirst()
            let start = ContinuousClock.now
            let explain = explain
            let task = Task.detached { await CallOutcome(of: call, explain) }
            (running, isRunningCancelled) = ((call.identifier, task), false)
            let outcome = await task.value
            finish(call, outcome, after: ContinuousClock.now - start)
            running = nil
            resumeAll()
        }
        isWorking = false
        resumeAll()
    }

    private func resumeAll() {
        let resumed = changes
        changes = []
        for continuation in resumed { continuation.resume() }
    }

    private func finish(_ call: AssistantCall, _ outcome: CallOutcome, after time: Duration) {
        let result: CallRecord.Result = isRunningCancelled ? .cancelled : outcome.result
        let isSent = !isRunningCancelled
        let entry = CallRecord(
            call, result, bytes: isSent ? outcome.bytes : 0,
            milliseconds: (time / .microseconds(100)).rounded() / 10, at: .now)
        do {
            try record(entry)
        } catch {
            // What isn't in the log isn't answered.
            guard isSent else { return }
            let failure = CallOutcome.failure(
                "The call could not be written to the log, so it is not answered.", call)
            return send(RPCResponse(identifier: call.identifier, outcome: failure.response))
        }
        guard isSent else { return }
        send(RPCResponse(identifier: call.identifier, outcome: outcome.response))
    }

    private func send(_ response: RPCResponse) {
        // A client that has gone also closes the input, which ends the loop.
        _ = write(response.line + "\n")
    }
}

/// The result of a call.
struct CallOutcome: Sendable {
    var result: CallRecord.Result
    var response: Result<JSONText, RPCError>
    /// The size of the data in the answer.
    var bytes: Int

    init(of call: AssistantCall, _ explain: AssistantServer.Explanation) async {
        do {
            try Task.checkCancellation()
            switch call.target {
            case .tool(let tool, let arguments):
                let arguments = try ToolArguments(arguments, for: tool.parameters)
                let answer = try await tool.body(arguments)
                self = CallOutcome.answer(answer, call)
            case .resource(let resource):
                let text = try await resource.body()
                let contents = JSONText.object([
                    "uri": .string(resource.uri), "mimeType": .string(resource.mimeType),
                    "text": .string(text),
                ])
                self.init(
                    result: .answered,
                    response: .success(
                        call.exchange.listing([("contents", .array([contents]))], keptFor: 0)),
                    bytes: text.utf8.count)
            }
        } catch let failure as ToolFailure {
            self = CallOutcome.failure(failure.text, call)
        } catch {
            if let text = explain(error) {
                self = CallOutcome.failure(text, call)
            } else {
                self.init(result: .failed, response: .failure(.failed), bytes: 0)
            }
        }
    }

    private init(
        result: CallRecord.Result, response: Result<JSONText, RPCError>, bytes: Int
    ) {
        self.result = result
        self.response = response
        self.bytes = bytes
    }

    /// The result of a tool. Clients that don't read structured content get the same as text.
    private static func answer(_ answer: JSONText, _ call: AssistantCall) -> CallOutcome {
        let text = answer.text
        guard text.utf8.count <= PagedAnswer.budget else {
            return failure(
                "The answer is too long. Ask for a shorter period or for fewer rows.", call)
        }
        let result = call.exchange.result([
            ("content", content(text)), ("structuredContent", answer), ("isError", .bool(false)),
        ])
        return CallOutcome(
            result: .answered, response: .success(result), bytes: text.utf8.count)
    }

    /// The result of a call without an answer. A resource has no form for it, so that is an error.
    static func failure(_ text: String, _ call: AssistantCall) -> CallOutcome {
        guard case .tool = call.target else {
            let error = RPCError(code: RPCError.failed.code, message: text.excerpt(500))
            return CallOutcome(result: .refused, response: .failure(error), bytes: 0)
        }
        let text = text.excerpt(1_000)
        let result = call.exchange.result([
            ("content", content(text)), ("isError", .bool(true)),
        ])
        return CallOutcome(result: .refused, response: .success(result), bytes: text.utf8.count)
    }

    private static func content(_ text: String) -> JSONText {
        .array([.object(["type": .string("text"), "text": .string(text)])])
    }
}
