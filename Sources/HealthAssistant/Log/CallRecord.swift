package import Foundation
package import HealthStorage

/// A call in the log: what was asked, when and by which client, and how it ended. It has no health
/// value of an answer.
package struct CallRecord: Hashable, Sendable {
    package enum Result: String, Sendable, CaseIterable {
        /// The data was sent.
        case answered
        /// The arguments or the scope don't permit an answer, or the store can't be read.
        case refused
        /// An unexpected error.
        case failed
        /// The client withdrew the call. Nothing was sent.
        case cancelled
    }

    /// When the call ended.
    package var time: Date
    /// The client's name as it states it; nil if it doesn't.
    package var client: String?
    /// The tool's name, or the URI of a resource.
    package var tool: String
    /// The arguments as JSON, cut to ``maximumArguments`` characters.
    package var arguments: String
    package var result: Result
    /// The size of the data that was sent.
    package var bytes: Int
    package var milliseconds: Double

    /// The maximum number of characters of the arguments.
    package static let maximumArguments = 600

    init(
        _ call: AssistantCall, _ result: Result, bytes: Int, milliseconds: Double, at time: Date
    ) {
        self.time = time
        client = call.exchange.client
        switch call.target {
        case .tool(let tool, let arguments):
            self.tool = tool.name
            self.arguments = JSONValue.object(arguments).logged(depth: 0).output.text
                .excerpt(CallRecord.maximumArguments)
        case .resource(let resource):
            tool = resource.uri
            arguments = "{}"
        }
        self.result = result
        self.bytes = bytes
        self.milliseconds = milliseconds
    }

    /// The record as JSON.
    package var json: JSONText {
        .object([
            "time": .string(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(time)),
            "client": .text(client), "tool": .string(tool), "arguments": .string(arguments),
            "outcome": .string(result.rawValue), "bytes": .integer(bytes),
            "ms": .number(milliseconds),
        ])
    }

    /// Parses a line of the log; nil if it isn't one.
    package init?(line: some Collection<UInt8>) {
        guard line.count <= 16 << 10, let value = try? JSONParser.value(of: Array(line)),
            let text = value["time"]?.string,
            let time = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text),
            let tool = value["tool"]?.string, let arguments = value["arguments"]?.string,
            let result = value["outcome"]?.string.flatMap(Result.init(rawValue:)),
            case .integer(let bytes) = value["bytes"]
        else { return nil }
        self.time = time
        client = value["client"]?.string
        self.tool = tool
        self.arguments = arguments
        self.result = result
        self.bytes = bytes
        switch value["ms"] {
        case .integer(let whole): milliseconds = Double(whole)
        case .number(let number): milliseconds = number
        default: return nil
        }
    }
}

extension JSONValue {
    /// The value with long texts and lists cut, so that a call with megabytes of arguments costs
    /// little to log.
    fileprivate func logged(depth: Int) -> JSONValue {
        if depth > 4 { return .string("…") }
        switch self {
        case .string(let text): return .string(text.excerpt(200))
        case .array(let elements):
            return .array(elements.prefix(20).map { $0.logged(depth: depth + 1) })
        case .object(let members):
            let kept = members.sorted { $0.key < $1.key }.prefix(20)
            return .object(
                Dictionary(
                    kept.map { ($0.key.excerpt(40), $0.value.logged(depth: depth + 1)) },
                    uniquingKeysWith: { first, _ in first }))
        default: return self
        }
    }
}
