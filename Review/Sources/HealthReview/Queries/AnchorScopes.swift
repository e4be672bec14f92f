import SwiftSyntax

/// A body that receives a new anchor together with its data.
struct AnchorScope {
    let statements: CodeBlockItemListSyntax
    var names: AnchorNames
}

/// All such bodies in a target: handlers, functions that take both, and functions that await both.
struct AnchorScopes {
    private var scopes: [AnchorScope] = []
    private var places: [SyntaxIdentifier: Int] = [:]
    private let target: Target

    static func find(in target: Target) -> [AnchorScope] {
        let files = target.files.filter { file in
            !file.uses.names.isDisjoint(with: [
                "HKAnchoredObjectQuery", "HKQueryAnchor", "newAnchor",
            ])
        }
        guard !files.isEmpty else { return [] }
        var scopes = AnchorScopes(target: target)
        for file in files {
            scopes.addHandlers(in: file)
            scopes.addFunctions(in: file)
            scopes.addResults(in: file)
        }
        scopes.addCallers(of: files)
        scopes.addCallbacks(of: files)
        return scopes.scopes
    }

    private init(target: Target) { self.target = target }

    private mutating func add(_ statements: CodeBlockItemListSyntax, _ names: AnchorNames) {
        if let place = places[statements.id] {
            scopes[place].names.formUnion(names)
        } else {
            places[statements.id] = scopes.count
            scopes.append(AnchorScope(statements: statements, names: names))
        }
    }

    private mutating func addHandlers(in file: SourceFile) {
        for query in file.queries where query.kind == .anchored {
            for handler in target.handlers(of: query) {
                add(handler.statements, AnchorNames(handler))
            }
        }
    }

    private mutating func addFunctions(in file: SourceFile) {
        guard file.uses.names.contains("HKQueryAnchor") else { return }
        for function in file.declarations.functions.values.joined() {
            guard let body = function.body else { continue }
            let names = AnchorNames(function)
            if names.isUseful { add(body.statements, names) }
        }
    }

    private mutating func addResults(in file: SourceFile) {
        for access in file.uses.memberAccesses where access.declName.baseName.text == "newAnchor" {
            guard let base = access.base?.bare, target.isAnchoredResult(base),
                let name = base.as(DeclReferenceExprSyntax.self)?.baseName.text
            else { continue }
            addFunction(around: access, AnchorNames(results: [name: .ofResult]))
        }
    }

    private mutating func addFunction(around node: some SyntaxProtocol, _ names: AnchorNames) {
        let outer = node.enclosingFunction
        let body =
            outer.as(FunctionDeclSyntax.self)?.body ?? outer.as(InitializerDeclSyntax.self)?.body
        if let body { add(body.statements, names) }
    }

    /// Adds callers such as `let (added, deleted, anchor) = try await changes()`, where a function
    /// of the target returns a tuple or a type that contains an anchor.
    private mutating func addCallers(of files: [SourceFile]) {
        for function in files.flatMap(\.declarations.functions.values).joined() {
            guard let type = function.signature.returnClause?.type,
                let members = members(of: type)
            else { continue }
            for known in target.calls(of: function) { addCaller(known.call, type, members) }
        }
    }

    private mutating func addCaller(
        _ call: FunctionCallExprSyntax, _ type: TypeSyntax, _ members: AnchorNames.Members
    ) {
        guard let binding = call.enclosing(PatternBindingSyntax.self),
            let value = binding.initializer?.value.bare, value.id == ExprSyntax(call).id
        else { return }
        if let name = binding.boundName {
            addFunction(around: call, AnchorNames(results: [name: members]))
        } else if let pattern = binding.pattern.as(TuplePatternSyntax.self),
            let tuple = type.as(TupleTypeSyntax.self),
            let names = AnchorNames(pattern, from: tuple)
        {
            addFunction(around: call, names)
        }
    }

    /// Adds closures such as `changes { result in … }`, where a function of the target hands over
    /// an anchor and its data, alone, in a type of its own or in a `Result`.
    private mutating func addCallbacks(of files: [SourceFile]) {
        for function in files.flatMap(\.declarations.functions.values).joined() {
            for parameter in function.signature.parameterClause.parameters {
                guard let type = parameter.type.functionType else { continue }
                let results = type.parameters.map { members(of: $0.type.successType) }
                let types = type.parameters.map(\.type)
                guard types.contains(where: \.namesAnchor) || results.contains(where: { $0 != nil })
                else { continue }
                for known in target.calls(of: function) {
                    let given = known.argument(for: parameter)?.bare
                    guard let closure = given?.as(ClosureExprSyntax.self) else { continue }
                    var names = AnchorNames(closure, type)
                    for (place, members) in results.enumerated() {
                        guard let members, let name = closure.parameter(place) else { continue }
                        names.results[name] = members
                        for success in closure.successNames { names.results[success] = members }
                    }
                    if names.isUseful { add(closure.statements, names) }
                }
            }
        }
    }

    private func members(of type: TypeSyntax) -> AnchorNames.Members? {
        if let tuple = type.as(TupleTypeSyntax.self) {
            return AnchorNames.Members(tuple) ?? AnchorNames.Members(unlabelled: tuple)
        }
        return type.baseName.flatMap { AnchorNames.Members(target.types($0)) }
    }
}

extension TypeSyntax {
    /// `Changes` in `Result<Changes, Error>`; other types are themselves.
    fileprivate var successType: TypeSyntax {
        guard let type = self.as(IdentifierTypeSyntax.self), type.name.text == "Result",
            let first = type.genericArgumentClause?.arguments.first?.argument.as(TypeSyntax.self)
        else { return self }
        return first
    }
}

extension ClosureExprSyntax {
    /// The names that `case .success(let changes)` gives, and `let changes = try result.get()`.
    fileprivate var successNames: [String] {
        let patterns = statements.all(ExpressionPatternSyntax.self).compactMap { pattern in
            pattern.expression.as(FunctionCallExprSyntax.self)
        }
        let bound = patterns.filter { $0.calledName == "success" }.flatMap {
            $0.all(IdentifierPatternSyntax.self).map(\.identifier.text)
        }
        let got = statements.all(PatternBindingSyntax.self).filter {
            $0.initializer?.value.bare.as(FunctionCallExprSyntax.self)?.calledName == "get"
        }
        return bound + got.compactMap(\.boundName)
    }
}
