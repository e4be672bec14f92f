import HealthDashboard
import HealthStorage

/// The identifier of a request.
package enum RPCIdentifier: Hashable, Sendable {
    case integer(Int)
    case string(String)

    init?(_ value: JSONValue?) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .string(let text): self = .string(text)
        default: return nil
        }
    }

    var json: JSONText {
        switch self {
        case .integer(let number): .integer(number)
        case .string(let text): .string(text)
        }
    }
}

/// A message that was received.
enum RPCMessage: Sendable {
    case request(RPCIdentifier, method: String, params: JSONValue?)
    case notification(method: String, params: JSONValue?)
    /// An answer to a request. The server sends none, so it means nothing.
    case response

    /// A line that isn't a message, with the identifier of the request if it can be read.
    struct Invalid: Error {
        var identifier: RPCIdentifier?
        var error: RPCError
    }

    /// Parses a line.
    ///
    /// - Throws: ``Invalid``.
    init(line: [UInt8]) throws(Invalid) {
        let value: JSONValue
        do throws(JSONParser.Failure) {
            value = try JSONParser.value(of: line)
        } catch {
            switch error {
            case .malformed: throw Invalid(error: .parse)
            case .tooComplex:
                throw Invalid(
                    error: .invalidRequest("The message is nested too deep or too large."))
            }
        }
        try self.init(value)
    }

    private init(_ value: JSONValue) throws(Invalid) {
        guard let members = value.members else {
            throw Invalid(
                error: .invalidRequest("A message is a JSON object; batches don't exist."))
        }
        let identifier = RPCIdentifier(members["id"])
        func invalid(_ text: String) -> Invalid {
            Invalid(identifier: identifier, error: .invalidRequest(text))
        }
        guard members["jsonrpc"]?.string == "2.0" else {
            throw invalid("The member jsonrpc must be \"2.0\".")
        }
        guard let method = members["method"]?.string else {
            let isResponse = members["result"] != nil || members["error"] != nil
            guard isResponse, members["method"] == nil else {
                throw invalid("The member method is missing or not a string.")
            }
            self = .response
            return
        }
        guard members["id"] != nil else {
            self = .notification(method: method, params: members["params"])
            return
        }
        guard let identifier else { throw invalid("An id is a string or an integer.") }
        self = .request(identifier, method: method, params: members["params"])
    }
}

/// An answer to a request.
struct RPCResponse: Sendable {
    /// nil if the request's identifier couldn't be read.
    var identifier: RPCIdentifier?
    var outcome: Result<JSONText, RPCError>

    /// The message in one line, without a line feed.
    var line: String {
        var members: [(key: String, value: JSONText)] = [("jsonrpc", .string("2.0"))]
        if let identifier { members.append(("id", identifier.json)) }
        switch outcome {
        case .success(let result): members.append(("result", result))
        case .failure(let error): members.append(("error", error.json))
        }
        return JSONText.object(members).text
    }
}

extension String {
    /// Returns the text, printable and cut to a number of characters; a cut text ends with "…".
    package func excerpt(_ length: Int) -> String {
        // Cut by scalars first: one character can have millions of them.
        let start = String(String.UnicodeScalarView(unicodeScalars.prefix(length * 4)))
        let printable = PrintableText.text(start)
        let isCut = start.utf8.count < utf8.count || printable.count > length
        return isCut ? printable.prefix(max(0, length - 1)) + "…" : printable
    }
}
