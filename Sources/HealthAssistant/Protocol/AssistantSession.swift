import HealthStorage

/// What the server says about itself.
package struct AssistantInfo: Sendable {
    package var name: String
    package var title: String
    package var version: String
    /// How to use the tools, for the model.
    package var instructions: String

    package init(name: String, title: String, version: String, instructions: String) {
        self.name = name
        self.title = title
        self.version = version
        self.instructions = instructions
    }
}

/// The protocol of one connection as a state machine: what each received message leads to. It reads
/// and writes nothing.
struct AssistantSession: Sendable {
    /// What a message leads to.
    enum Reaction: Sendable {
        case nothing
        case answer(RPCResponse)
        case call(AssistantCall)
        /// Stop a request and don't answer it.
        case cancel(RPCIdentifier)
    }

    let info: AssistantInfo
    let tools: [AssistantTool]
    let resources: [AssistantResource]
    /// The version of the handshake; nil before one.
    private(set) var negotiated: ProtocolVersion?
    /// The name of the client as it stated it in the handshake; nil before one.
    private(set) var client: String?

    init(info: AssistantInfo, tools: [AssistantTool], resources: [AssistantResource]) {
        self.info = info
        self.tools = tools
        self.resources = resources
    }

    /// Returns what a line leads to.
    mutating func receive(line: [UInt8]) -> Reaction {
        let message: RPCMessage
        do {
            message = try RPCMessage(line: line)
        } catch {
            return .answer(
                RPCResponse(identifier: error.identifier, outcome: .failure(error.error)))
        }
        switch message {
        case .response: return .nothing
        case .notification(let method, let params): return notified(method, params)
        case .request(let identifier, let method, let params):
            do {
                return try requested(identifier, method, params)
            } catch {
                return .answer(RPCResponse(identifier: identifier, outcome: .failure(error)))
            }
        }
    }

    private func notified(_ method: String, _ params: JSONValue?) -> Reaction {
        guard method == "notifications/cancelled",
            let identifier = RPCIdentifier(params?["requestId"])
        else { return .nothing }
        return .cancel(identifier)
    }

    private mutating func requested(
        _ identifier: RPCIdentifier, _ method: String, _ params: JSONValue?
    ) throws(RPCError) -> Reaction {
        let params = try Self.members(of: params)
        func answer(_ result: JSONText) -> Reaction {
            .answer(RPCResponse(identifier: identifier, outcome: .success(result)))
        }
        if method == "initialize" { return answer(try initialize(params)) }
        let request = try exchange(method, params)
        switch method {
        case "ping" where !request.version.isStateless: return answer(.object([]))
        case "server/discover" where request.version.isStateless:
            return answer(request.listing(discovery, keptFor: 3_600_000))
        case "tools/list":
            try Self.checkSinglePage(params)
            return answer(request.listing([("tools", .array(tools.map(\.json)))]))
        case "resources/list":
            try Self.checkSinglePage(params)
            return answer(request.listing([("resources", .array(resources.map(\.json)))]))
        case "resources/templates/list":
            try Self.checkSinglePage(params)
            return answer(request.listing([("resourceTemplates", .array([]))]))
        case "tools/call": return .call(try toolCall(identifier, params, request))
        case "resources/read": return .call(try resourceRead(identifier, params, request))
        default: throw .unknownMethod(method)
        }
    }

    private static func members(of params: JSONValue?) throws(RPCError) -> [String: JSONValue] {
        guard let params else { return [:] }
        guard let members = params.members else {
            throw .invalidParams("The member params must be an object.")
        }
        return members
    }

    // MARK: - The eras

    private mutating func initialize(
        _ params: [String: JSONValue]
    ) throws(RPCError) -> JSONText {
        guard let requested = params["protocolVersion"]?.string else {
            throw .invalidParams("protocolVersion is missing or not a string.")
        }
        let version = ProtocolVersion.negotiated(requested)
        negotiated = version
        client = Self.clientName(params["clientInfo"])
        return .object([
            "protocolVersion": .string(version.rawValue), "capabilities": Self.capabilities,
            "serverInfo": .object([
                "name": .string(info.name), "title": .string(info.title),
                "version": .string(info.version),
            ]),
            "instructions": .string(info.instructions),
        ])
    }

    private static let capabilities = JSONText.object([
        "tools": .object([]), "resources": .object([]),
    ])

    private var discovery: [(key: String, value: JSONText)] {
        [
            (
                "supportedVersions",
                .array(ProtocolVersion.allCases.map { .string($0.rawValue) })
            ),
            ("capabilities", Self.capabilities), ("instructions", .string(info.instructions)),
        ]
    }

    /// Returns the version that a request is in: the one that it states, otherwise that of the
    /// handshake.
    private func exchange(
        _ method: String, _ params: [String: JSONValue]
    ) throws(RPCError) -> Exchange {
        let prefix = "io.modelcontextprotocol/"
        let meta = params["_meta"]
        if let stated = meta?[prefix + "protocolVersion"] {
            guard let text = stated.string else {
                throw .invalidParams("_meta: \(prefix)protocolVersion must be a string.")
            }
            guard text == ProtocolVersion.stateless.rawValue else {
                throw .unsupportedVersion(text)
            }
            guard meta?[prefix + "clientCapabilities"]?.members != nil else {
                throw .invalidParams("_meta: \(prefix)clientCapabilities is missing.")
            }
            return Exchange(
                version: .stateless, client: Self.clientName(meta?[prefix + "clientInfo"]),
                info: info)
        }
        if let negotiated { return Exchange(version: negotiated, client: client, info: info) }
        if method == "ping" { return Exchange(version: .november2025, client: nil, info: info) }
        throw .invalidParams(
            "Begin with initialize, or state \(prefix)protocolVersion and \(prefix)"
                + "clientCapabilities in params._meta.")
    }

    private static func clientName(_ value: JSONValue?) -> String? {
        let parts = ["name", "version"].compactMap { value?[$0]?.string?.excerpt(60) }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    // MARK: - Calls

    /// All lists fit on one page, so there is no valid cursor.
    private static func checkSinglePage(_ params: [String: JSONValue]) throws(RPCError) {
        guard let cursor = params["cursor"], cursor != .null else { return }
        throw .invalidParams("This list has one page, and no cursor.")
    }

    private func toolCall(
        _ identifier: RPCIdentifier, _ params: [String: JSONValue], _ exchange: Exchange
    ) throws(RPCError) -> AssistantCall {
        guard let name = params["name"]?.string else {
            throw .invalidParams("The name of the tool is missing.")
        }
        guard let tool = tools.first(where: { $0.name == name }) else {
            throw .invalidParams("Unknown tool: \(name.excerpt(80))")
        }
        let arguments: [String: JSONValue]
        switch params["arguments"] {
        case nil, .null: arguments = [:]
        case .object(let members): arguments = members
        default: throw .invalidParams("The member arguments must be an object.")
        }
        return AssistantCall(
            identifier: identifier, exchange: exchange, target: .tool(tool, arguments))
    }

    private func resourceRead(
        _ identifier: RPCIdentifier, _ params: [String: JSONValue], _ exchange: Exchange
    ) throws(RPCError) -> AssistantCall {
        guard let uri = params["uri"]?.string else { throw .invalidParams("The uri is missing.") }
        guard let resource = resources.first(where: { $0.uri == uri }) else {
            throw .noResource(uri, exchange.version)
        }
        return AssistantCall(
            identifier: identifier, exchange: exchange, target: .resource(resource))
    }
}

/// The version and the client of one request, which determine the form of its result.
struct Exchange: Sendable {
    let version: ProtocolVersion
    /// The client's name as it states it; nil if it doesn't.
    let client: String?
    let info: AssistantInfo

    /// Returns a result with what the version requires of each.
    func result(_ members: [(key: String, value: JSONText)]) -> JSONText {
        guard version.isStateless else { return .object(members) }
        let server = JSONText.object([
            "name": .string(info.name), "version": .string(info.version),
        ])
        return .object(
            [("resultType", .string("complete"))] + members
                + [("_meta", .object(["io.modelcontextprotocol/serverInfo": server]))])
    }

    /// Returns the result of a list or of a resource, which a client may keep for some time.
    func listing(
        _ members: [(key: String, value: JSONText)], keptFor milliseconds: Int = 60_000
    ) -> JSONText {
        guard version.isStateless else { return .object(members) }
        return result(
            members + [
                ("ttlMs", .integer(milliseconds)), ("cacheScope", .string("private")),
            ])
    }
}

/// A request that reads health data.
struct AssistantCall: Sendable {
    enum Target: Sendable {
        case tool(AssistantTool, [String: JSONValue])
        case resource(AssistantResource)
    }

    let identifier: RPCIdentifier
    let exchange: Exchange
    let target: Target
}
