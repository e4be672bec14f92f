import SwiftSyntax

extension Target {
    /// Returns whether a type's members belong to the main actor: by an attribute, its own or that
    /// of a superclass or protocol in the target, or as a view.
    func isOnMainActor(_ type: String?) -> Bool {
        guard let type else { return false }
        if types(type).contains(where: { $0.attributes.contains("MainActor") }) { return true }
        return isScreen(type)
            || inherited(by: type).contains { name in
                types(name).contains { $0.attributes.contains("MainActor") }
            }
    }

    /// The `async` functions and tasks that run on no actor although their type is a model of a
    /// screen. Empty if the project's settings put code without an attribute on the main actor or
    /// on the caller's.
    var codeOfNoActor: [Syntax] {
        guard files.contains(where: \.mentionsStore), !isIsolatedBySettings else { return [] }
        var found: [Syntax] = []
        for file in files {
            for function in file.declarations.functions.values.joined()
            where function.signature.effectSpecifiers?.asyncSpecifier != nil
                && belongsToModel(function) && function.body.map({ usesHealth($0, file) }) == true
            {
                found.append(Syntax(function))
            }
            for call in file.uses.callsByName["Task"] ?? [] where belongsToModel(call) {
                guard let closure = call.closures.last,
                    call.enclosingBody == call.enclosingFunction, usesHealth(closure, file)
                else { continue }
                found.append(Syntax(closure))
            }
        }
        return found
    }

    /// Returns whether a node is inside a class with state that screens show, on no actor.
    private func belongsToModel(_ node: some SyntaxProtocol) -> Bool {
        guard let block = node.enclosingType, !isOnMainActor(block.name) else { return false }
        let function =
            Syntax(node).as(FunctionDeclSyntax.self)
            ?? node.enclosingFunction.as(FunctionDeclSyntax.self)
        let initializer = node.enclosingFunction.as(InitializerDeclSyntax.self)
        let names = (function?.attributes ?? initializer?.attributes)?.names ?? []
        // Another attribute may be a global actor, whose isolation isn't known here.
        guard !names.contains(where: { $0.hasSuffix("Actor") }),
            function?.modifiers.contains(where: { $0.detail != nil }) != true
        else { return false }
        return types(block.name).contains { $0.attributes.contains("Observable") }
            || inherited(by: block.name).contains("ObservableObject")
    }

    /// Returns whether code awaits HealthKit, directly or through a function of a file that does.
    private func usesHealth(_ node: some SyntaxProtocol, _ file: SourceFile) -> Bool {
        let awaits = node.all(AwaitExprSyntax.self)
        if awaits.isEmpty { return false }
        if file.mentionsStore { return true }
        return awaits.contains { awaited in
            let call = awaited.expression.bare.as(FunctionCallExprSyntax.self)
            return call.flatMap { function(calledBy: $0) }.flatMap { self.file(of: $0) }?
                .mentionsStore == true
        }
    }

    private var isIsolatedBySettings: Bool {
        if mentioned.contains("defaultIsolation") { return true }
        let settings = ["SWIFT_DEFAULT_ACTOR_ISOLATION", "SWIFT_APPROACHABLE_CONCURRENCY"]
        return projectFiles.contains { file in
            file.kind != .propertyList && settings.contains { file.text.contains($0) }
        }
    }
}
