import SwiftSyntax

/// Reports uploads whose HTTP status is never looked at, so that rejected data counts as sent.
struct UncheckedUpload: Rule {
    let name = "unchecked-upload"
    let summary = "an upload whose HTTP status is never looked at"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard target.files.contains(where: \.importsHealthKit) else { return }
        for file in target.files where file.uses.names.contains("URLSession") {
            for name in ["data", "upload", "dataTask", "uploadTask"] {
                for call in file.uses.callsByName[name] ?? []
                where isUpload(call, target) && ignoresResponse(call) {
                    guard !looksAtStatus(call), sendsHealthData(call, target) else { continue }
                    report.add(
                        "what the server rejects counts as sent and is lost: a status of 401 or "
                            + "500 throws no error; check `statusCode`", at: call, in: file)
                }
            }
        }
    }

    /// Returns whether the function around a call asks for the status, or validates the response.
    private func looksAtStatus(_ call: FunctionCallExprSyntax) -> Bool {
        Syntax(call.enclosingFunction).descendants.contains { node in
            guard let text = node.as(TokenSyntax.self)?.text else { return false }
            return text == "statusCode" || text == "HTTPURLResponse"
                || text.lowercased().hasPrefix("validat")
        }
    }
}

// MARK: - Uploads

extension UncheckedUpload {
    /// Returns whether a call sends data with URLSession.
    private func isUpload(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        guard let name = call.calledName, let base = call.base?.bare else { return false }
        let text = (base.shortText ?? "").lowercased()
        guard text.contains("session") || target.typeName(of: base) == "URLSession",
            let request = call.argument("for") ?? call.argument("with")
        else { return false }
        return name.hasPrefix("upload") || call.enclosingFunction.sendsBody
            || isUpload(request, target)
    }

    /// Returns whether a request has a body or the method of an upload, where it is made: in a
    /// function that returns it, or in the callers of the function that receives it.
    private func isUpload(_ request: ExprSyntax, _ target: Target) -> Bool {
        var pending = [request]
        var steps = 0
        while let next = pending.popLast(), steps < 16 {
            steps += 1
            for origin in target.origins(of: next, calls: .notFollowed) {
                if let call = origin.as(FunctionCallExprSyntax.self),
                    let function = target.function(calledBy: call),
                    Syntax(function).sendsBody || call.arguments.contains(where: \.isUploadMethod)
                {
                    return true
                }
                guard case .parameter(let parameter) = target.binding(of: origin),
                    let function = parameter.function
                else { continue }
                for known in target.calls(of: function) {
                    if known.call.enclosingFunction.sendsBody { return true }
                    if let argument = known.argument(for: parameter) { pending.append(argument) }
                }
            }
        }
        return false
    }

    /// Returns whether the response is dropped: `let (data, _) = try await …`, `_ = try await …`,
    /// a statement alone, or a completion handler that uses neither it nor the answer.
    private func ignoresResponse(_ call: FunctionCallExprSyntax) -> Bool {
        if call.calledName?.hasSuffix("Task") == true {
            guard let closure = call.closures.first, closure.signature != nil else { return false }
            return [0, 1].allSatisfy { place in
                closure.parameter(place).map { !closure.statements.uses($0) } ?? true
            }
        }
        guard call.closures.isEmpty else { return false }
        var node = Syntax(call)
        while let parent = node.parent {
            switch parent.kind {
            case .awaitExpr, .tryExpr, .initializerClause, .forceUnwrapExpr: node = parent
            case .patternBinding:
                return parent.as(PatternBindingSyntax.self).map(dropsResults) ?? false
            case .codeBlockItem: return !isResult(parent)
            case .exprList:
                return parent.children(viewMode: .sourceAccurate).first?
                    .is(DiscardAssignmentExprSyntax.self) ?? false
            default: return false
            }
        }
        return false
    }

    /// Returns whether neither the answer nor the response is used: `let (_, response) = …` alone.
    private func dropsResults(_ binding: PatternBindingSyntax) -> Bool {
        if binding.pattern.is(WildcardPatternSyntax.self) { return true }
        guard let tuple = binding.pattern.as(TuplePatternSyntax.self),
            let statements = binding.enclosing(CodeBlockItemListSyntax.self)
        else { return false }
        return tuple.elements.allSatisfy { element in
            guard let name = element.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            else { return element.pattern.is(WildcardPatternSyntax.self) }
            return !statements.uses(name)
        }
    }

    /// Returns whether a statement is the only one of a body, whose result it may be.
    private func isResult(_ item: Syntax) -> Bool {
        guard let list = item.parent, list.children(viewMode: .sourceAccurate).count == 1 else {
            return false
        }
        guard let function = list.parent?.parent?.as(FunctionDeclSyntax.self) else {
            let closure = list.parent?.as(ClosureExprSyntax.self)
            let isTask = closure?.receivingCall?.constructedName == "Task"
            return closure != nil && !isTask || list.parent?.is(AccessorBlockSyntax.self) == true
        }
        return function.signature.returnClause != nil
    }
}

extension LabeledExprSyntax {
    /// Whether the argument is the method of an upload: `method: .post`, `"PUT"`.
    fileprivate var isUploadMethod: Bool {
        let method = expression.plainString ?? expression.bare.lastName ?? ""
        return ["POST", "PUT", "PATCH"].contains(method.uppercased())
    }
}

extension Syntax {
    /// Whether the code sets a request's body or the method of an upload.
    fileprivate var sendsBody: Bool {
        takesMember("httpBody") || takesMember("httpBodyStream")
            || all(StringLiteralExprSyntax.self).contains {
                ["POST", "PUT", "PATCH"].contains(ExprSyntax($0).plainString ?? "")
            }
    }
}

// MARK: - Health data

extension UncheckedUpload {
    /// Returns whether an upload may hold health data: its function, or one of its callers up to
    /// four calls away, is in a file that imports HealthKit, or it sends a type that such a file
    /// makes.
    private func sendsHealthData(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        guard let function = call.enclosing(FunctionDeclSyntax.self) else {
            return target.file(of: call)?.importsHealthKit ?? false
        }
        var pending = [(function: function, depth: 0)]
        var seen: Set<String> = []
        while let (next, depth) = pending.popLast() {
            guard seen.insert(next.name.text).inserted, seen.count < 32 else { continue }
            let words = next.name.text.camelCaseWords
            guard Self.otherWords.isDisjoint(with: words) else { continue }
            if target.file(of: next)?.importsHealthKit == true { return true }
            if takesHealthType(next, target) { return true }
            guard depth < 4 else { continue }
            for caller in target.index.calls[next.name.text] ?? [] {
                guard let outer = caller.enclosing(FunctionDeclSyntax.self) else {
                    if target.file(of: caller)?.importsHealthKit == true { return true }
                    continue
                }
                pending.append((outer, depth + 1))
            }
        }
        return false
    }

    /// Returns whether a function receives values of a type of the target's that a file with
    /// HealthKit makes.
    private func takesHealthType(_ function: FunctionDeclSyntax, _ target: Target) -> Bool {
        function.signature.parameterClause.parameters.contains { parameter in
            guard let name = parameter.type.elementName, !target.types(name).isEmpty else {
                return false
            }
            let made = (target.index.calls[name] ?? []).map { Syntax($0) }
            let extended = target.types(name).map { Syntax($0.node) }
            return (made + extended).contains { target.file(of: $0)?.importsHealthKit == true }
        }
    }

    /// Words in the names of functions that send something else.
    private static let otherWords: Set<String> = [
        "login", "logout", "signin", "signup", "register", "registration", "auth", "authenticate",
        "token", "password", "refresh", "feedback", "chat", "analytics", "telemetry", "crash",
        "subscribe", "invite", "log", "sign", "device", "ping", "revoke",
    ]
}
