import SwiftSyntax

extension Reply {
    /// Creates the reply of a function: its completion handler, or its pair of them. Nil if it has
    /// none.
    init?(of function: FunctionDeclSyntax) {
        guard let body = function.body else { return nil }
        let parameters = function.signature.parameterClause.parameters
        let callbacks = Array(parameters).filter(\.isCallback)
        guard let first = callbacks.first else {
            guard let call = parameters.first(where: { $0.type.baseName == "CAPPluginCall" })
            else { return nil }
            self.init(
                kind: .bridge,
                // The methods of Capacitor's call that answer it.
                members: [
                    "resolve", "reject", "unavailable", "unimplemented", "success", "error",
                ],
                names: [call.ownName], token: call.secondName ?? call.firstName,
                body: body.statements)
            return
        }
        // One of a pair such as `success` and `failure` alone may be optional for the caller.
        let words = Set(callbacks.flatMap { $0.ownName.camelCaseWords })
        guard !words.isDisjoint(with: Self.words.subtracting(["error", "failure", "reject"])) else {
            return nil
        }
        let isBridge = callbacks.contains { Self.bridges.contains($0.type.baseName ?? "") }
        self.init(
            kind: isBridge ? .bridge : .completion, members: [],
            names: Set(callbacks.map(\.ownName)), token: first.secondName ?? first.firstName,
            body: body.statements)
    }

    /// The types of the callbacks of other languages.
    static let bridgedTypes = bridges.union(["CAPPluginCall"])

    fileprivate static let bridges: Set<String> = [
        "FlutterResult", "RCTResponseSenderBlock", "RCTPromiseResolveBlock",
        "RCTPromiseRejectBlock", "RCTResponseErrorBlock",
    ]

    fileprivate static let words: Set<String> = [
        "completion", "complete", "completed", "done", "finish", "finished", "callback", "cb",
        "result", "resolve", "resolver", "reject", "rejecter", "promise", "reply", "response",
        "handler", "then", "success", "failure", "error",
    ]
}

extension FunctionParameterSyntax {
    /// Whether the parameter is a function named for what it answers.
    var isCallback: Bool {
        guard ownName != "_",
            !Reply.words.isDisjoint(with: ownName.camelCaseWords + firstName.text.camelCaseWords)
        else { return false }
        if let type = type.functionType {
            let result = type.returnClause.type.trimmedDescription
            return ["Void", "()"].contains(result)
        }
        guard let name = type.baseName else { return false }
        let endings = ["Completion", "Handler", "Callback", "Block", "Closure"]
        return Reply.bridges.contains(name) || endings.contains { name.hasSuffix($0) }
    }
}
