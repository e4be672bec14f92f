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

    private func members(of type: TypeSyntax) -> AnchorNames.Members? {
        if let tuple = type.as(TupleTypeSyntax.self) {
            return AnchorNames.Members(tuple) ?? AnchorNames.Members(unlabelled: tuple)
        }
        return type.baseName.flatMap { AnchorNames.Members(target.types($0)) }
    }
}
