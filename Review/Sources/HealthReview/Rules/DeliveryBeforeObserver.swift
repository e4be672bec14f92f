import SwiftSyntax

/// Background delivery that is enabled before the observer runs that it wakes.
struct DeliveryBeforeObserver: Rule {
    let name = "delivery-before-observer"
    let summary = "background delivery enabled before its observer query is executed"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("enableBackgroundDelivery") {
            let starts = file.uses.calls.filter { startsObserver($0, target) }
            for call in file.uses.calls where call.isBackgroundDelivery {
                let body = call.runningBody
                let here = starts.filter { $0.isInside(body) && !call.isAlternative(to: $0) }
                guard !here.isEmpty, !here.contains(where: { $0.position < call.position }) else {
                    continue
                }
                report.add(
                    "a change that comes before the observer is executed wakes nobody: execute the "
                        + "observer first", at: call, in: file)
            }
        }
    }

    /// `store.execute(observer)`, or a function of the target that does it.
    private func startsObserver(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        if call.calledName == "execute" { return executesObserver(call, target) }
        guard let function = target.function(named: call.calledExpression), let body = function.body
        else { return false }
        guard !body.contains("enableBackgroundDelivery") else { return false }
        return body.all(FunctionCallExprSyntax.self).contains {
            $0.calledName == "execute" && executesObserver($0, target)
        }
    }

    private func executesObserver(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        guard let query = call.unlabelledArgument(0) else { return false }
        return target.origins(of: query).contains { origin in
            origin.as(FunctionCallExprSyntax.self).flatMap { HealthQuery($0) }?.kind == .observer
        }
    }
}

/// Background delivery in an app that has no observer at all.
struct DeliveryWithoutObserver: Rule {
    let name = "delivery-without-observer"
    let summary = "background delivery enabled where no observer query exists"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard !target.mentioned.contains("HKObserverQuery") else { return }
        for file in target.files where file.uses.names.contains("enableBackgroundDelivery") {
            for call in file.uses.calls where call.isBackgroundDelivery {
                report.add(
                    "background delivery wakes an HKObserverQuery, and there is none: the app is "
                        + "never told of changes", at: call, in: file)
            }
        }
    }
}

extension SyntaxProtocol {
    /// The body whose statements run in order with this node: closures that a loop's method calls at
    /// once (`forEach`, `map`) are passed through.
    var runningBody: Syntax {
        var body = enclosingBody
        while let closure = body.as(ClosureExprSyntax.self), let call = closure.callItIsGivenTo,
            FunctionCallExprSyntax.runAtOnce.contains(call.calledName ?? "")
        {
            body = closure.enclosingBody
        }
        return body
    }

    /// Whether an identifier stands anywhere inside.
    func contains(_ identifier: String) -> Bool {
        Syntax(self).descendants.contains { $0.as(TokenSyntax.self)?.text == identifier }
    }
}

extension ClosureExprSyntax {
    /// The call that the closure is an argument of.
    var callItIsGivenTo: FunctionCallExprSyntax? {
        var node = Syntax(self)
        while let outer = node.parent {
            switch outer.kind {
            case .labeledExpr, .labeledExprList, .multipleTrailingClosureElement,
                .multipleTrailingClosureElementList:
                node = outer
            case .functionCallExpr:
                let call = outer.as(FunctionCallExprSyntax.self)
                return node.id == call?.calledExpression.id ? nil : call
            default: return nil
            }
        }
        return nil
    }
}

extension FunctionCallExprSyntax {
    /// Methods that call their closure before they return, on the thread they were called on.
    static let runAtOnce: Set<String> = [
        "forEach", "map", "compactMap", "flatMap", "filter", "reduce", "sorted", "sort", "first",
        "firstIndex", "contains", "allSatisfy", "min", "max", "mapValues", "removeAll",
        "enumerateStatistics", "enumerated", "autoreleasepool", "withAnimation", "sync", "withLock",
        "last", "partition", "drop", "prefix",
    ]
}
