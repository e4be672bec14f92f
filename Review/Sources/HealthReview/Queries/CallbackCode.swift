import SwiftSyntax

/// The code of a target that runs off the main queue: handlers of HealthKit, the functions they
/// call, the completion handlers that those call, and `async` code of types without an actor.
struct CallbackCode {
    enum Origin: Sendable {
        /// A handler that HealthKit calls, or what it calls.
        case callback
        /// An `async` function or a task that belongs to no actor, or what it calls.
        case task
    }

    /// A closure or function that runs there, without the parts that hop to another queue or actor.
    struct Body: Sendable {
        let node: Syntax
        let file: SourceFile
        let origin: Origin
        /// The assignments and calls that run in the same context as the body.
        fileprivate(set) var assignments: [Assignment] = []
        fileprivate(set) var calls: [FunctionCallExprSyntax] = []
    }

    private(set) var bodies: [Body] = []
    private var seen: Set<SyntaxIdentifier> = []
    private let target: Target

    /// Collects handlers of queries, delegate methods and completion handlers of the store, and the
    /// functions that these call, up to four calls deep.
    ///
    /// - Complexity: O(nodes of the collected code).
    init(_ target: Target) {
        self.target = target
        var pending = target.handlersOfPassedQueries.map { (node: $0.node, depth: 0) }
        for file in target.files where file.mentionsStore {
            for query in file.queries {
                pending += target.handlers(of: query).map { ($0.node, 0) }
            }
            pending += file.declarations.delegateMethods.map { (Syntax($0), 0) }
            for call in file.uses.calls {
                if let closure = target.storeCompletion(of: call) {
                    pending.append((Syntax(closure), 0))
                }
            }
        }
        pending += target.publisherClosures.map { (Syntax($0), 0) }
        collect(pending, .callback)
        collect(target.codeOfNoActor.map { ($0, 0) }, .task)
    }

    private mutating func collect(_ seeds: [(node: Syntax, depth: Int)], _ origin: Origin) {
        var pending = seeds
        while let (node, depth) = pending.popLast() {
            guard seen.insert(node.id).inserted, let body = body(node, origin) else { continue }
            bodies.append(body)
            guard depth < 4 else { continue }
            for call in body.calls { pending += reached(by: call).map { ($0, depth + 1) } }
        }
    }

    private func body(_ node: Syntax, _ origin: Origin) -> Body? {
        guard let file = target.file(of: node) else { return nil }
        var body = Body(node: node, file: file, origin: origin)
        let isOnMain = node.attributes?.names.contains("MainActor") ?? false
        guard !isOnMain, !node.contains("isMainThread"), !node.contains("dispatchPrecondition")
        else { return nil }
        var pending = [node]
        while let inner = pending.popLast() {
            if let call = inner.as(FunctionCallExprSyntax.self) {
                body.calls.append(call)
            } else if let assignment = inner.as(SequenceExprSyntax.self).flatMap({ Assignment($0) })
            {
                body.assignments.append(assignment)
            } else if inner.id != node.id, inner.leaves(target) {
                continue
            }
            pending.append(contentsOf: inner.children(viewMode: .sourceAccurate).reversed())
        }
        return body
    }

    /// Returns the target's function that is called, or the closures passed for the parameter that
    /// is called.
    private func reached(by call: FunctionCallExprSyntax) -> [Syntax] {
        guard let name = call.calledName, !call.isAwaited else { return [] }
        if !target.functions(name).isEmpty,
            let function = target.function(named: call.calledExpression)
        {
            let effects = function.signature.effectSpecifiers
            return effects?.asyncSpecifier == nil ? [Syntax(function)] : []
        }
        guard call.isInFunction(withParameter: name) else { return closures(named: name, in: call) }
        guard let parameter = target.calledParameter(of: call), !parameter.contains("MainActor"),
            !isCalledOnMain(parameter)
        else { return [] }
        return target.closures(passedFor: parameter).map { Syntax($0) }
    }
}

extension CallbackCode {
    /// Returns the closures that a variable holds: a local one, or a property that others set.
    private func closures(named name: String, in call: FunctionCallExprSyntax) -> [Syntax] {
        guard
            case .variable(let binding, let declaration) = target.binding(of: call.calledExpression)
        else { return [] }
        if let closure = binding.initializer?.value.bare.as(ClosureExprSyntax.self),
            closure.signature?.attributes.names.contains("MainActor") != true,
            !declaration.contains("MainActor")
        {
            return [Syntax(closure)]
        }
        guard let type = declaration.memberOf, !declaration.contains("MainActor") else { return [] }
        return (target.index.memberAssignments[name] ?? []).compactMap { assignment in
            guard let base = assignment.target.as(MemberAccessExprSyntax.self)?.base,
                let closure = assignment.singleValue?.bare.as(ClosureExprSyntax.self),
                target.typeName(of: base) == type || base.bare.isRooted(in: type)
            else { return nil }
            return Syntax(closure)
        }
    }

    /// Returns whether a function also calls its completion handler on the main queue.
    private func isCalledOnMain(_ parameter: FunctionParameterSyntax) -> Bool {
        let name = parameter.ownName
        guard let body = parameter.enclosing(FunctionDeclSyntax.self)?.body else { return false }
        return body.references(to: name).contains { reference in
            var node = reference
            while let outer = node.parent, outer.id != Syntax(body).id {
                if let call = outer.as(ClosureExprSyntax.self)?.receivingCall,
                    call.calledExpression.contains("main")
                        || call.calledExpression.contains("MainActor")
                {
                    return true
                }
                if let closure = outer.as(ClosureExprSyntax.self),
                    closure.signature?.attributes.names.contains("MainActor") == true
                {
                    return true
                }
                node = outer
            }
            return false
        }
    }
}

extension ExprSyntax {
    /// Whether the expression is a member of a type's shared value: `Store.shared`.
    fileprivate func isRooted(in type: String) -> Bool {
        guard let member = self.as(MemberAccessExprSyntax.self) else { return false }
        return member.base?.bare.as(DeclReferenceExprSyntax.self)?.baseName.text == type
    }
}

extension SyntaxProtocol {
    /// Returns whether an enclosing function has a parameter with this name.
    fileprivate func isInFunction(withParameter name: String) -> Bool {
        var node = parent
        while let outer = node {
            let parameters = outer.as(FunctionDeclSyntax.self)?.signature.parameterClause.parameters
            if parameters?.contains(where: { $0.ownName == name }) == true {
                return true
            }
            node = outer.parent
        }
        return false
    }
}

extension SourceFile {
    /// Whether the file imports HealthKit, or mentions its store or an authorization request.
    var mentionsStore: Bool {
        uses.imports.contains("HealthKit") || uses.names.contains("HKHealthStore")
            || uses.names.contains("requestAuthorization")
    }
}

extension Declarations {
    /// The delegate methods of workout sessions and live builders, which run off the main queue.
    /// Methods of main-actor types are omitted: the compiler checks those.
    fileprivate var delegateMethods: [FunctionDeclSyntax] {
        ["workoutSession", "workoutBuilder", "workoutBuilderDidCollectEvent"]
            .flatMap { functions[$0] ?? [] }
            .filter { function in
                let first = function.signature.parameterClause.parameters.first?.type.baseName
                let isIsolated =
                    function.enclosingType?.attributes.contains("MainActor") == true
                    && !function.modifiers.contains { $0.name.text == "nonisolated" }
                return ["HKWorkoutSession", "HKLiveWorkoutBuilder"].contains(first) && !isIsolated
            }
    }
}

extension Syntax {
    fileprivate var attributes: AttributeListSyntax? {
        if let function = self.as(FunctionDeclSyntax.self) { return function.attributes }
        return self.as(ClosureExprSyntax.self)?.signature?.attributes
    }
}

extension Syntax {
    /// Returns whether the contents run elsewhere: in a closure that hops to another queue or actor
    /// or has an unknown receiver, or in a nested function.
    fileprivate func leaves(_ target: Target) -> Bool {
        if let closure = self.as(ClosureExprSyntax.self) { return !closure.runsInPlace(target) }
        return self.is(FunctionDeclSyntax.self)
    }
}

extension ClosureExprSyntax {
    /// Returns whether a closure inside a callback also runs off the main actor.
    fileprivate func runsInPlace(_ target: Target) -> Bool {
        if signature?.attributes.names.contains("MainActor") == true { return false }
        guard let call = receivingCall else {
            // An immediately called closure: `{ … }()`.
            return keyPathInParent == \FunctionCallExprSyntax.calledExpression
        }
        if call.calledName == "sync" || call.calledName == "async"
            || call.calledName == "asyncAfter"
        {
            return call.base?.contains("global") ?? false
        }
        if call.constructedName == "Task" { return !target.isOnMainActor(enclosingTypeName) }
        return FunctionCallExprSyntax.runAtOnce.contains(call.calledName ?? "")
    }
}
