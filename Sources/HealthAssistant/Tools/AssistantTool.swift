package import HealthStorage

/// A function that an assistant can call. It only reads.
package struct AssistantTool: Sendable {
    /// Computes the answer, which conforms to the output schema.
    package typealias Body = @Sendable (ToolArguments) async throws -> JSONText

    package var name: String
    package var title: String
    /// What the tool answers, and when to use it. Models choose a tool by this text.
    package var description: String
    package var parameters: [Schema.Property]
    package var result: Schema
    package var body: Body

    /// - Throws: Errors of `body` are the concern of ``AssistantServer/Explanation``.
    package init(
        _ name: String, title: String, _ description: String, parameters: [Schema.Property],
        result: Schema, _ body: @escaping Body
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.parameters = parameters
        self.result = result
        self.body = body
    }

    /// The description in `tools/list`.
    package var json: JSONText {
        .object([
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": Schema.object(parameters).json,
            "outputSchema": result.json,
            "annotations": .object([
                "title": .string(title), "readOnlyHint": .bool(true),
                "openWorldHint": .bool(false),
            ]),
        ])
    }
}

/// The arguments of a call. They conform to the tool's input schema.
package struct ToolArguments: Sendable {
    package let members: [String: JSONValue]

    /// - Throws: ``ToolFailure`` if the arguments don't conform to the parameters.
    package init(
        _ members: [String: JSONValue], for parameters: [Schema.Property]
    ) throws(ToolFailure) {
        let schema = Schema.object(parameters)
        if let problem = schema.problem(of: .object(members), named: "The call") {
            throw ToolFailure(problem)
        }
        self.members = members.filter { $0.value != .null }
    }

    /// The text of an argument; nil if it is missing.
    package func text(_ name: String) -> String? { members[name]?.string }

    /// The number of an argument; nil if it is missing.
    package func integer(_ name: String) -> Int? {
        guard case .integer(let number) = members[name] else { return nil }
        return number
    }
}

/// Why a call has no answer, in words that the model can act on. It has no health value.
package struct ToolFailure: Error, Hashable, Sendable {
    package var text: String

    package init(_ text: String) { self.text = text }
}

/// A document that an assistant can read.
package struct AssistantResource: Sendable {
    package var uri: String
    package var name: String
    package var title: String
    package var description: String
    package var mimeType: String
    package var body: @Sendable () async throws -> String

    package init(
        uri: String, name: String, title: String, description: String, mimeType: String,
        _ body: @escaping @Sendable () async throws -> String
    ) {
        self.uri = uri
        self.name = name
        self.title = title
        self.description = description
        self.mimeType = mimeType
        self.body = body
    }

    /// The description in `resources/list`.
    package var json: JSONText {
        .object([
            "uri": .string(uri), "name": .string(name), "title": .string(title),
            "description": .string(description), "mimeType": .string(mimeType),
        ])
    }
}
