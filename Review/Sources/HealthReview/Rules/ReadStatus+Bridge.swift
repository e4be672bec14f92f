import SwiftSyntax

extension Target {
    /// Returns the method that tells another language with a status whether there is permission,
    /// for whatever is asked: `hasPermissions`, `checkPermissions`. It is nil for methods that are
    /// about writing, that tell reading from writing, or that pass the status on as it is.
    func bridgedAnswer(of status: FunctionCallExprSyntax, _ requests: AuthorizationRequests)
        -> Syntax?
    {
        guard requests.calls.contains(where: { requestedTypes($0.call.readArgument) != .nothing })
        else { return nil }
        if let method = status.bridgedMethod { return method.answersForAll ? method : nil }
        guard let function = status.enclosing(FunctionDeclSyntax.self),
            Syntax(function).tellsNothingOfWriting,
            let type = function.signature.returnClause?.type.baseName,
            ["Bool", "String", "Int"].contains(type)
        else { return nil }
        let methods = calls(of: function).compactMap { $0.call.bridgedMethod }
        return methods.first { $0.answersForAll(with: Syntax(function)) }
    }
}

extension SyntaxProtocol {
    /// The function, or the closure of an Expo module, that another language calls and that
    /// contains this node.
    fileprivate var bridgedMethod: Syntax? {
        var node = Syntax(self)
        while let parent = node.parent {
            if let function = parent.as(FunctionDeclSyntax.self) {
                return Reply(of: function)?.kind == .bridge ? parent : nil
            }
            if parent.as(ClosureExprSyntax.self)?.moduleFunction != nil { return parent }
            node = parent
        }
        return nil
    }
}

extension ClosureExprSyntax {
    /// The name in `AsyncFunction("hasPermissions") { … }` of an Expo module.
    fileprivate var moduleFunction: String? {
        guard let call = receivingCall, ["AsyncFunction", "Function"].contains(call.calledName)
        else { return nil }
        return call.unlabelledArgument(0)?.plainString
    }
}

extension Syntax {
    /// Whether the method is named for permission in general, and decides it by the status.
    fileprivate var answersForAll: Bool { answersForAll(with: self) }

    /// Returns whether the method is named for permission in general, and some code decides it.
    fileprivate func answersForAll(with code: Syntax) -> Bool {
        guard
            let name = self.as(FunctionDeclSyntax.self)?.name.text
                ?? self.as(ClosureExprSyntax.self)?.moduleFunction
        else { return false }
        let words = Set(name.camelCaseWords)
        return !words.isDisjoint(with: Self.permitting) && tellsNothingOfWriting
            && !leavesReadingOpen
            && code.tokens(viewMode: .sourceAccurate).contains {
                ["sharingAuthorized", "sharingDenied"].contains($0.text)
            }
    }

    /// Whether the method answers with nil, which says that reading can't be known.
    private var leavesReadingOpen: Bool {
        all(FunctionCallExprSyntax.self).contains {
            $0.base == nil && $0.unlabelledArgument(0)?.is(NilLiteralExprSyntax.self) == true
        }
    }

    /// Whether no name and no text in the code distinguishes writing from reading.
    fileprivate var tellsNothingOfWriting: Bool {
        !tokens(viewMode: .sourceAccurate).contains { token in
            switch token.tokenKind {
            case .identifier(let text), .stringSegment(let text):
                Self.kinds.contains(text) || !Self.writing.isDisjoint(with: text.camelCaseWords)
            default: false
            }
        }
    }

    private static let permitting: Set<String> = [
        "permission", "permissions", "authorization", "authorized", "authorisation", "authorised",
        "auth", "access", "granted", "allowed",
    ]
    private static let writing: Set<String> = [
        "write", "writes", "writing", "writable", "writeable", "written", "share", "shares",
        "save", "saving", "read", "reads", "reading",
    ]
    /// Names of what says whether reading or writing is asked about.
    private static let kinds: Set<String> = ["access", "accesses", "mode", "modes"]
}
