import SwiftSyntax

/// Code of a target that runs on HealthKit's own queues: handlers, the functions they call, and the
/// completions that those call.
struct CallbackCode {
    /// One closure or function that is run there, as far as nothing in it hops elsewhere.
    struct Body {
        let node: Syntax
        let file: SourceFile
        /// The calls and assignments in it that run where it runs.
        fileprivate(set) var assignments: [Assignment] = []
        fileprivate(set) var calls: [FunctionCallExprSyntax] = []
    }

    private(set) var bodies: [Body] = []
    private var seen: Set<SyntaxIdentifier> = []
    private let target: Target
    private var index: CallIndex?

    /// - Complexity: O(nodes of the handlers and of what they call, four calls deep).
    init(_ target: Target) {
        self.target = target
        let assigned = AssignedHandlers(target)
        var waiting: [(node: Syntax, depth: Int)] = []
        for file in target.files where file.mentionsStore {
            for query in file.queries {
                waiting += target.handlers(of: query, assigned).map { ($0.body, 0) }
            }
            waiting += file.declarations.delegateMethods.map { (Syntax($0), 0) }
            for call in file.uses.calls {
                if let closure = target.storeCompletion(of: call) {
                    waiting.append((Syntax(closure), 0))
                }
            }
        }
        while let (node, depth) = waiting.popLast() {
            guard seen.insert(node.id).inserted, let body = body(node) else { continue }
            bodies.append(body)
            guard depth < 4 else { continue }
            for call in body.calls { waiting += reached(by: call).map { ($0, depth + 1) } }
        }
    }

    private func body(_ node: Syntax) -> Body? {
        guard let file = target.file(of: node) else { return nil }
        var body = Body(node: node, file: file)
        let isOnMain = node.attributes?.names.contains("MainActor") ?? false
        guard !isOnMain, !node.contains("isMainThread") else { return nil }
        for inner in node.descendants {
            if let call = inner.as(FunctionCallExprSyntax.self) {
                if call.runs(in: node, target) { body.calls.append(call) }
            } else if let sequence = inner.as(SequenceExprSyntax.self),
                let assignment = Assignment(sequence), sequence.runs(in: node, target)
            {
                body.assignments.append(assignment)
            }
        }
        return body
    }

    /// The target's own function that is called, or the closures that were given for the parameter that
    /// is called.
    private mutating func reached(by call: FunctionCallExprSyntax) -> [Syntax] {
        if let function = target.function(named: call.calledExpression) {
            let effects = function.signature.effectSpecifiers
            return effects?.asyncSpecifier == nil ? [Syntax(function)] : []
        }
        guard let parameter = target.calledParameter(of: call), !parameter.contains("MainActor")
        else { return [] }
        let index = self.index ?? CallIndex(target)
        self.index = index
        return index.closures(givenFor: parameter).map { Syntax($0) }
    }
}

extension SourceFile {
    /// Whether HealthKit's store or one of its queries is named in the file.
    var mentionsStore: Bool {
        uses.imports.contains("HealthKit") || uses.names.contains("HKHealthStore")
            || uses.names.contains("requestAuthorization")
    }
}

extension Declarations {
    /// The methods through which workout sessions and live builders report, off the main queue; those of
    /// a main-actor type are left out, as they can't be called there unnoticed.
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

extension SyntaxProtocol {
    /// Whether this runs where a closure or function runs that it stands in: no closure between hops to
    /// another queue or actor, and none goes somewhere unknown.
    fileprivate func runs(in body: Syntax, _ target: Target) -> Bool {
        var node = Syntax(self)
        while let outer = node.parent, outer.id != body.id {
            if let closure = outer.as(ClosureExprSyntax.self), !closure.runsInPlace(target) {
                return false
            }
            if outer.is(FunctionDeclSyntax.self) {
                return false
            }
            node = outer
        }
        return true
    }
}

extension ClosureExprSyntax {
    /// Whether a closure inside of a callback runs off the main actor too.
    fileprivate func runsInPlace(_ target: Target) -> Bool {
        if signature?.attributes.names.contains("MainActor") == true { return false }
        guard let call = callItIsGivenTo else {
            // Called where it stands: `{ … }()`.
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

extension Target {
    /// Whether a type's members belong to the main actor: by attribute, or as views do.
    func isOnMainActor(_ type: String?) -> Bool {
        guard let type else { return false }
        return types(type).contains { $0.attributes.contains("MainActor") } || isScreen(type)
    }
}
