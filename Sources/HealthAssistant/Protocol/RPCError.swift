import HealthStorage

/// An error in answer to a request, as JSON-RPC 2.0 and the protocol define them. It has no health
/// value.
package struct RPCError: Error, Sendable {
    package var code: Int
    package var message: String
    /// Further members for programs; nil for none.
    var data: JSONText?

    static let parse = RPCError(code: -32700, message: "The line is not JSON in UTF-8.")

    static func invalidRequest(_ message: String) -> RPCError {
        RPCError(code: -32600, message: message)
    }

    static func unknownMethod(_ method: String) -> RPCError {
        RPCError(code: -32601, message: "Unknown method: \(method.excerpt(80))")
    }

    static func invalidParams(_ message: String) -> RPCError {
        RPCError(code: -32602, message: message)
    }

    static let failed = RPCError(code: -32603, message: "The call failed. No data was changed.")

    /// A resource doesn't exist. The stateless version has no code of its own for it.
    static func noResource(_ uri: String, _ version: ProtocolVersion) -> RPCError {
        RPCError(
            code: version.isStateless ? -32602 : -32002, message: "Resource not found",
            data: .object(["uri": .string(uri.excerpt(200))]))
    }

    static func unsupportedVersion(_ requested: String) -> RPCError {
        RPCError(
            code: -32022, message: "Unsupported protocol version",
            data: .object([
                "supported": .array([.string(ProtocolVersion.stateless.rawValue)]),
                "requested": .string(requested.excerpt(80)),
            ]))
    }

    /// The error as the member `error` of a message.
    var json: JSONText {
        .object(["code": .integer(code), "message": .string(message), "data": data])
    }
}
