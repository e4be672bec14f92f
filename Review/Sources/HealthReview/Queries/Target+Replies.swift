import SwiftSyntax

extension Target {
    /// Returns the callbacks that the functions and continuations around a file's HealthKit calls
    /// have to call.
    func replies(in file: SourceFile) -> [Reply] {
        var found: [Reply] = []
        var seen: Set<SyntaxIdentifier> = []
        for call in healthCalls(in: file) {
            var node = Syntax(call)
            while let parent = node.parent {
                if let closure = parent.as(ClosureExprSyntax.self),
                    seen.insert(closure.id).inserted, let reply = reply(givenTo: closure)
                {
                    found.append(reply)
                } else if let function = parent.as(FunctionDeclSyntax.self),
                    seen.insert(function.id).inserted, let reply = Reply(of: function)
                {
                    found.append(reply)
                }
                node = parent
            }
        }
        for function in bridgedMethods(in: file) where seen.insert(function.id).inserted {
            if let reply = Reply(of: function) { found.append(reply) }
        }
        return found + signals(in: file)
    }

    /// Returns the methods of a file that another language calls and that answer it, whether or
    /// not they call HealthKit themselves. A function that returns a value may leave the answer to
    /// its caller.
    private func bridgedMethods(in file: SourceFile) -> [FunctionDeclSyntax] {
        guard !Reply.bridgedTypes.isDisjoint(with: file.uses.names) else { return [] }
        return file.declarations.functions.values.joined().filter { function in
            guard let body = function.body, function.signature.returnClause == nil,
                let reply = Reply(of: function), reply.kind == .bridge,
                reply.names.contains(where: { body.mentions($0) })
            else { return false }
            return function.attributes.names.contains("objc")
                || function.signature.parameterClause.parameters.contains {
                    $0.type.baseName == "FlutterResult"
                }
        }.sorted { $0.position < $1.position }
    }

    /// The queries and the calls of the store in a file.
    private func healthCalls(in file: SourceFile) -> [FunctionCallExprSyntax] {
        let stores = [
            "requestAuthorization", "save", "delete", "deleteObjects", "enableBackgroundDelivery",
            "getRequestStatusForAuthorization", "finishWorkout", "endCollection", "beginCollection",
            "insertRouteData", "finishRoute",
        ]
        return file.queries.map(\.call)
            + stores.flatMap { file.uses.callsByName[$0] ?? [] }.filter {
                storeCompletion(of: $0) != nil
                    || $0.isAwaited && ($0.base.map(isHealthStore) ?? false)
            }
    }

    /// Returns the continuation or promise that a closure receives.
    func reply(givenTo closure: ClosureExprSyntax) -> Reply? {
        guard let call = closure.receivingCall, let name = call.calledName,
            let own = closure.parameter(0)
        else { return nil }
        var kind: Reply.Kind?
        var members: Set<String> = []
        if name.hasPrefix("with"), name.hasSuffix("Continuation") {
            (kind, members) = (.continuation, ["resume"])
        } else if name == "Future" {
            kind = .future
        } else if let function = function(calledBy: call), function.contains("resume"),
            function.givesCallback(through: call, closure)
        {
            kind = .continuation
        }
        return kind.map {
            Reply(
                kind: $0, members: members, names: [own], token: closure.parameterToken(0),
                body: closure.statements)
        }
    }

    /// Returns the groups and semaphores that a handler or task in a file signals, each with the
    /// closure that has to do it.
    private func signals(in file: SourceFile) -> [Reply] {
        var found: [SyntaxIdentifier: Reply] = [:]
        for call in (file.uses.callsByName["leave"] ?? []) + (file.uses.callsByName["signal"] ?? [])
        {
            guard let base = call.base?.bare, let name = base.ownName,
                case .variable(let binding, _) = self.binding(of: base),
                let made = binding.initializer?.value.bare.as(FunctionCallExprSyntax.self),
                ["DispatchGroup", "DispatchSemaphore"].contains(made.constructedName),
                let closure = signalling(call, outOf: binding), found[closure.id] == nil,
                !closure.signals(name, by: ["wait", "enter"])
            else { continue }
            found[closure.id] = Reply(
                kind: .signal,
                members: [made.constructedName == "DispatchGroup" ? "leave" : "signal"],
                names: [name],
                token: closure.leftBrace, body: closure.statements)
        }
        return found.values.sorted { $0.token.position < $1.token.position }
    }

    /// Returns the outermost closure around a call that runs once and uses HealthKit, inside the
    /// scope of the group.
    private func signalling(_ call: FunctionCallExprSyntax, outOf binding: PatternBindingSyntax)
        -> ClosureExprSyntax?
    {
        var found: ClosureExprSyntax?
        var node = Syntax(call)
        while let parent = node.parent, !parent.is(FunctionDeclSyntax.self) {
            if let closure = parent.as(ClosureExprSyntax.self) {
                if binding.isInside(closure) { break }
                if HandlerRun(closure, self) == .once
                    || closure.receivingCall?.constructedName == "Task"
                {
                    found = closure
                }
            }
            node = parent
        }
        return found
    }
}

/// How often a closure runs.
enum HandlerRun: Sendable {
    case once
    /// A handler that HealthKit calls again.
    case again
    case unknown

    init(_ closure: ClosureExprSyntax, _ target: Target) {
        if let (query, property) = target.query(handledBy: closure) {
            if let handler = target.handlers(of: query).first(where: {
                $0.node.id == Syntax(closure).id
            }), RepeatedHandler(handler, of: query, target) != nil {
                self = .again
                return
            }
            let isInitial = property == nil || property == "initialResultsHandler"
            self = isInitial && query.kind != .observer ? .once : .unknown
        } else if let call = closure.receivingCall,
            target.storeCompletion(of: call)?.id == closure.id
        {
            self = .once
        } else {
            self = .unknown
        }
    }
}

extension ClosureExprSyntax {
    fileprivate func signals(_ name: String, by members: [String]) -> Bool {
        references(to: name).contains { members.contains($0.accessedMember ?? "") }
    }
}

extension FunctionDeclSyntax {
    /// Returns whether a closure in a call is given a function to call: `body` in
    /// `func once(_ body: (@escaping (Result) -> Void) -> HKQuery)`.
    fileprivate func givesCallback(
        through call: FunctionCallExprSyntax, _ closure: ClosureExprSyntax
    )
        -> Bool
    {
        let known = KnownCall(function: self, call: call)
        return signature.parameterClause.parameters.contains { parameter in
            known.argument(for: parameter)?.as(ClosureExprSyntax.self)?.id == closure.id
                && parameter.type.functionType?.parameters.first?.type.functionType != nil
        }
    }
}

extension TypeSyntax {
    /// The function type without attributes and optional marks.
    var functionType: FunctionTypeSyntax? {
        switch self.as(TypeSyntaxEnum.self) {
        case .functionType(let type): type
        case .attributedType(let type): type.baseType.functionType
        case .optionalType(let type): type.wrappedType.functionType
        case .implicitlyUnwrappedOptionalType(let type): type.wrappedType.functionType
        case .tupleType(let type):
            type.elements.count == 1 ? type.elements.first?.type.functionType : nil
        default: nil
        }
    }
}
