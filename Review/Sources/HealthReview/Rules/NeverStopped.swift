import SwiftSyntax

/// Reports a long-running query that is executed and that its type can't stop.
struct NeverStopped: Rule {
    let name = "never-stopped"
    let summary = "a long-running query that is executed and never stopped"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for (query, type, file) in target.longRunningQueriesOfShortLivedTypes {
            guard !isForBackground(query, type, target), !isStatic(query) else { continue }
            let references = QueryReferences(query, type, target)
            if references.isExecuted, !references.isHandedOut, !references.isStopped {
                report.add(
                    "the query runs on when its \(type) is gone, and each new one adds another: keep it "
                        + "and call `stop(_:)`", at: query.call, in: file)
            }
        }
        reviewRestarts(target, &report)
    }

    /// Reports queries of types that live as long as the app, of which each call of a method
    /// starts one more.
    private func reviewRestarts(_ target: Target, _ report: inout Report) {
        let lifetimes = target.lifetimes
        for file in target.files {
            for query in file.queries where target.isLongRunning(query) {
                guard let type = query.call.enclosingTypeName, lifetimes.isLongLived(type),
                    let restart = QueryRestart(query, type, target)
                else { continue }
                let references = QueryReferences(query, type, target)
                guard references.isExecuted, !references.isHandedOut else { continue }
                report.add(
                    "\(restart.occasion) starts one more query, and its events come once for each: stop "
                        + "the old one first, or keep it", at: query.call, in: file)
            }
        }
    }

    /// Returns whether the query is for background delivery, and so runs as long as the app. Its
    /// type enables delivery, or it is an observer outside a screen in a target that does. A SwiftUI
    /// view is no place for such a query: it starts one each time it appears or is made.
    private func isForBackground(_ query: HealthQuery, _ type: String, _ target: Target) -> Bool {
        guard target.mentions("enableBackgroundDelivery"), !target.isView(type) else {
            return false
        }
        if target.types(type).contains(where: { $0.node.contains("enableBackgroundDelivery") }) {
            return true
        }
        return query.kind == .observer && !target.isScreen(type)
    }

    /// Returns whether the query is in a static function or variable, which no instance can stop.
    private func isStatic(_ query: HealthQuery) -> Bool {
        let modifiers =
            query.call.enclosingFunction.as(FunctionDeclSyntax.self)?.modifiers
            ?? query.call.enclosing(VariableDeclSyntax.self)?.modifiers
        return modifiers?.areStatic ?? false
    }
}

/// What happens to a query after its construction.
struct QueryReferences {
    private(set) var isExecuted = false
    /// Whether it is returned, or passed to code that may stop it.
    private(set) var isHandedOut = false
    private(set) var isStopped = false
    /// The variables it is stored in.
    private var names: Set<String> = []
    private let query: HealthQuery
    private let type: String
    private let target: Target

    init(_ query: HealthQuery, _ type: String, _ target: Target) {
        (self.query, self.type, self.target) = (query, type, target)
        follow(Syntax(query.call))
        if let variable = query.variable { keep(variable) }
        if isExecuted, !isHandedOut { isStopped = stopReaches() }
    }

    /// Follows how the expression at a node is used.
    private mutating func follow(_ node: Syntax) {
        var inner = node
        while let outer = inner.parent {
            switch outer.as(SyntaxEnum.self) {
            case .labeledExpr(let argument):
                return passed(argument)
            case .returnStmt: return isHandedOut = true
            case .codeBlockItem(let item):
                let statements = item.parent?.as(CodeBlockItemListSyntax.self)
                let isResult = statements?.count == 1 && outer.enclosingBody.givesQuery
                if isResult { isHandedOut = true }
                return
            case .initializerClause, .patternBinding: return
            case .memberAccessExpr: return
            case .sequenceExpr(let sequence):
                guard let assignment = Assignment(sequence) else { return }
                if node.position >= assignment.target.endPosition {
                    assigned(to: assignment.target)
                }
                return
            default: inner = outer
            }
        }
    }

    private mutating func passed(_ argument: LabeledExprSyntax) {
        guard let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self) else {
            return isHandedOut = true
        }
        switch call.calledName {
        case "execute": isExecuted = true
        case "stop": isStopped = true
        case "append", "insert": call.base.map { assigned(to: $0) }
        case "print", "Some", "Optional": break
        default: isHandedOut = true
        }
    }

    private mutating func assigned(to place: ExprSyntax) {
        var place = place.bare
        while let element = place.as(SubscriptCallExprSyntax.self) {
            place = element.calledExpression.bare
        }
        if let name = target.ownMemberName(place) ?? place.ownName {
            keep(name)
        } else {
            isHandedOut = true
        }
    }

    private mutating func keep(_ name: String) {
        guard names.insert(name).inserted else { return }
        let binding = target.binding(name, at: query.call)
        var isMember = target.member(name, of: type) != nil
        if case .variable(_, let declaration) = binding { isMember = declaration.memberOf != nil }
        let places: [Syntax] =
            isMember ? target.types(type).map { Syntax($0.node) } : [query.call.enclosingFunction]
        for place in places {
            for reference in Syntax(place).uses(of: name, membersToo: isMember) {
                follow(reference)
            }
        }
    }

    /// Returns whether a `stop` call in the target can apply to this query.
    private func stopReaches() -> Bool {
        if isStopped { return true }
        for call in target.index.calls["stop"] ?? [] {
            guard let argument = call.unlabelledArgument(0) else { continue }
            let isOwn = call.enclosingTypeName == type
            // No other type reaches a view's state.
            if !isOwn, target.isView(type) { continue }
            if isOwn ? mayMean(argument) : namesMember(argument) { return true }
        }
        for file in target.files
        where file.uses.names.contains("stop") && file.declarations.types[type] != nil {
            for member in file.uses.memberAccesses
            where member.isMethodReference("stop") && member.enclosingTypeName == type {
                return true
            }
        }
        return false
    }

    /// Returns whether the argument is `manager.query`, or a constant that was unwrapped from it.
    private func namesMember(_ argument: ExprSyntax) -> Bool {
        var places = [argument]
        if case .unwrapped(let value) = target.binding(of: argument) { places.append(value) }
        return places.flatMap { $0.all(MemberAccessExprSyntax.self) }
            .contains { names.contains($0.declName.baseName.text) }
    }

    /// Returns whether the stopped query may be this one. Only another variable of the type rules
    /// it out.
    private func mayMean(_ argument: ExprSyntax, depth: Int = 0) -> Bool {
        guard depth < 4 else { return true }
        if let name = target.ownMemberName(argument) { return names.contains(name) }
        switch target.binding(of: argument) {
        case .variable(let binding, let declaration):
            let name = binding.boundName ?? ""
            let own = binding.initializer?.value.bare.as(FunctionCallExprSyntax.self)
            if declaration.memberOf == nil, let own, HealthQuery(own) != nil {
                // A constant of the same name in another function is another query.
                return own.id == query.call.id
            }
            if names.contains(name) { return true }
            if declaration.memberOf != nil { return false }
            return binding.initializer.map { mayMean($0.value, depth: depth + 1) } ?? true
        case .unwrapped(let value):
            return mayMean(value, depth: depth + 1)
        case .element(let sequence, _): return mayMean(sequence, depth: depth + 1)
        default: return true
        }
    }
}

extension MemberAccessExprSyntax {
    /// Returns whether a method such as `store.stop(_:)` is passed as a value and not called.
    fileprivate func isMethodReference(_ name: String) -> Bool {
        declName.baseName.text == name
            && keyPathInParent != \FunctionCallExprSyntax.calledExpression
    }
}

extension Syntax {
    /// Returns references by name, and with `membersToo` also members with that name of any value.
    fileprivate func uses(of name: String, membersToo: Bool) -> [Syntax] {
        let plain = references(to: name)
        guard membersToo else { return plain }
        return plain
            + descendants.filter {
                $0.as(MemberAccessExprSyntax.self)?.declName.baseName.text == name
            }
    }

    /// Whether a single expression in this node is its return value: a function, an accessor or a
    /// closure.
    fileprivate var givesQuery: Bool {
        if let function = self.as(FunctionDeclSyntax.self) {
            return function.signature.returnClause != nil
        }
        return kind == .accessorDecl || kind == .sourceFile || kind == .closureExpr
    }
}
