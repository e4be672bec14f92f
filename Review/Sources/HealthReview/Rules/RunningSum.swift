import SwiftSyntax

/// Reports the running total of a live workout that is added at each update.
struct RunningSum: Rule {
    let name = "running-sum"
    let summary = "a live workout's total added at each update, which grows far too fast"
    let severity = Severity.error

    func review(_ target: Target, _ report: inout Report) {
        guard target.mentions("didCollectDataOf") else { return }
        for file in target.files where file.uses.names.contains("sumQuantity") {
            for assignment in file.uses.assignments where isAdded(assignment) {
                guard let call = sum(in: assignment, target),
                    isKept(assignment.target, target),
                    isUpdate(assignment.node, target), !isRestarted(assignment),
                    !isOfQuery(call)
                else { continue }
                report.add(
                    "the total grows far too fast: `sumQuantity()` is already the sum since the "
                        + "workout began; assign it", at: assignment.node, in: file)
            }
        }
    }

    /// Returns whether a value is only added: by `+=`, or by `total = total + x`.
    ///
    /// `total += sum - previous` adds what is new, which is right.
    private func isAdded(_ assignment: Assignment) -> Bool {
        let operators = assignment.value.compactMap {
            $0.as(BinaryOperatorExprSyntax.self)?.operator.text
        }
        guard !operators.contains("-") else { return false }
        if assignment.operator == .compound("+=") { return true }
        guard assignment.operator == .plain, operators.first(where: { $0 != "??" }) == "+",
            let name = assignment.target.bare.shortText
        else { return false }
        return assignment.value.contains { value in
            value.bare.shortText == name || value.firstChoice?.bare.shortText == name
        }
    }

    /// Returns whether a total outlives the update: it is no local variable.
    private func isKept(_ place: ExprSyntax, _ target: Target) -> Bool {
        var base = place.bare
        for _ in 0..<8 {
            if let element = base.as(SubscriptCallExprSyntax.self) {
                base = element.calledExpression.bare
            } else if let member = base.as(MemberAccessExprSyntax.self), let inner = member.base,
                !target.isSelf(inner)
            {
                base = inner.bare
            } else {
                break
            }
        }
        switch target.binding(of: base) {
        case .variable(_, let declaration):
            return declaration.parent?.is(MemberBlockItemSyntax.self) == true
        case nil: return target.ownMemberName(base) != nil || base.ownName != nil
        default: return false
        }
    }

    /// Returns whether the function also begins the total anew, as sums over several types do.
    private func isRestarted(_ assignment: Assignment) -> Bool {
        guard let function = assignment.node.enclosing(FunctionDeclSyntax.self),
            let name = assignment.target.bare.lastName
        else { return false }
        return function.all(SequenceExprSyntax.self).contains { node in
            guard node.id != assignment.node.id, let other = Assignment(node) else { return false }
            return other.operator == .plain && other.target.bare.lastName == name
                && !node.isAlternative(to: assignment.node)
                && other.node.position < assignment.node.position
        }
    }
}

// MARK: - Updates

extension RunningSum {
    /// Returns whether the code runs at each update of a live workout: in the delegate's method, or
    /// in a function that only it calls, up to three calls deep.
    private func isUpdate(_ node: SequenceExprSyntax, _ target: Target) -> Bool {
        guard let first = node.enclosing(FunctionDeclSyntax.self) else { return false }
        var pending = [(function: first, depth: 0)]
        var seen: Set<SyntaxIdentifier> = []
        var isReached = false
        while let (function, depth) = pending.popLast() {
            if function.isLiveUpdate { isReached = true }
            if function.isLiveUpdate || !seen.insert(function.id).inserted { continue }
            let callers = callers(of: function, target)
            guard depth < 3, !callers.isEmpty else { return false }
            for caller in callers {
                guard let caller else { return false }
                pending.append((caller, depth + 1))
            }
        }
        return isReached
    }

    /// Returns the functions that call a function; nil for a call outside of any.
    ///
    /// A call that names one of several types' functions counts if its receiver may be this type.
    private func callers(
        of function: FunctionDeclSyntax, _ target: Target
    ) -> [FunctionDeclSyntax?] {
        let known = target.calls(of: function).map(\.call)
        let calls =
            known.isEmpty
            ? (target.index.calls[function.name.text] ?? []).filter {
                $0.enclosingTypeName == function.enclosingTypeName
                    && ($0.base.map(target.isSelf) ?? true)
            } : known
        return (calls + target.applications(of: function)).map {
            $0.enclosing(FunctionDeclSyntax.self)
        }
    }
}

// MARK: - The sum

extension RunningSum {
    /// Returns the call of `sumQuantity()` that a value derives from.
    private func sum(in assignment: Assignment, _ target: Target) -> Syntax? {
        var pending = assignment.value
        var seen: Set<SyntaxIdentifier> = []
        while let next = pending.popLast(), seen.count < 32 {
            guard seen.insert(next.id).inserted else { continue }
            if let member = next.all(MemberAccessExprSyntax.self)
                .first(where: { $0.declName.baseName.text == "sumQuantity" })
            {
                // A difference of two sums is what is new.
                let operators = next.all(BinaryOperatorExprSyntax.self).map(\.operator.text)
                return operators.contains("-") ? nil : Syntax(member)
            }
            for name in next.all(DeclReferenceExprSyntax.self).map({ ExprSyntax($0) }) {
                guard
                    name.parent?.is(MemberAccessExprSyntax.self) != true
                        || name.parent?.as(MemberAccessExprSyntax.self)?.base?.id == name.id
                else { continue }
                switch target.binding(of: name) {
                case .variable(_, let declaration)
                where declaration.parent?.is(MemberBlockItemSyntax.self) == true:
                    continue
                case .variable, .unwrapped:
                    pending += target.origins(of: name, calls: .notFollowed)
                        .filter { $0.id != name.id }
                default: continue
                }
            }
        }
        return nil
    }

    /// Returns whether the sum is that of a query made in the function, for a time of its own.
    private func isOfQuery(_ sum: Syntax) -> Bool {
        var node = sum
        while let outer = node.parent, !outer.is(FunctionDeclSyntax.self) {
            if let call = outer.as(FunctionCallExprSyntax.self), HealthQuery(call) != nil {
                return true
            }
            if let call = outer.as(ClosureExprSyntax.self)?.receivingCall,
                call.calledName == "enumerateStatistics"
            {
                return true
            }
            node = outer
        }
        return false
    }
}

extension ExprSyntax {
    /// The part of a value before `??`: `total` in `(total ?? 0)`.
    fileprivate var firstChoice: ExprSyntax? {
        let elements = bare.as(SequenceExprSyntax.self).map { Array($0.elements) } ?? []
        guard elements.count == 3,
            elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
        else { return nil }
        return elements[0]
    }
}

extension FunctionDeclSyntax {
    /// Whether this is `workoutBuilder(_:didCollectDataOf:)`.
    fileprivate var isLiveUpdate: Bool {
        name.text == "workoutBuilder"
            && signature.parameterClause.parameters.contains {
                $0.firstName.text == "didCollectDataOf"
            }
    }
}
