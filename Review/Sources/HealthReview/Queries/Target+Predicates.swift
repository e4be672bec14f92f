import SwiftSyntax

/// Whether a predicate excludes anything.
enum PredicateSelectivity: Sendable, Equatable {
    /// It selects all samples: `nil`, or an unbounded date range.
    case everything
    /// It selects some samples: by date, source or workout.
    case part
    /// It can't be determined from the source.
    case unknown
}

extension Target {
    /// Returns what a query's predicate selects. For ``PredicateSelectivity/everything``, every
    /// possible origin must select everything.
    func selectivity(ofPredicate expression: ExprSyntax?) -> PredicateSelectivity {
        guard let expression else { return .everything }
        return selectivity(expression, depth: 0)
    }

    private func selectivity(_ expression: ExprSyntax, depth: Int) -> PredicateSelectivity {
        guard depth < 6, !isSetFromOutside(expression) else { return .unknown }
        let selectivities = origins(of: expression).map { selectivity(ofOrigin: $0, depth: depth) }
        if selectivities.allSatisfy({ $0 == .everything }) { return .everything }
        return selectivities.contains(.unknown) ? .unknown : .part
    }

    /// Returns whether a stored property may get its value outside of its type: by an assignment
    /// (`reader.predicate = …`) or an argument (`Reader(predicate: …)`).
    private func isSetFromOutside(_ expression: ExprSyntax) -> Bool {
        guard case .variable(let binding, let declaration) = binding(of: expression),
            let type = declaration.memberOf, let name = binding.boundName,
            !declaration.isConstant || binding.initializer == nil,
            binding.getterStatements == nil
        else { return false }
        let access = declaration.modifiers.map(\.name.text)
        if access.contains("public") || access.contains("open") { return true }
        let isAssigned = (index.memberAssignments[name] ?? []).contains { assignment in
            assignment.node.enclosingTypeName != type
        }
        return isAssigned
            || (index.calls[type] ?? []).contains { $0.argument(name) != nil }
    }

    private func selectivity(ofOrigin origin: ExprSyntax, depth: Int) -> PredicateSelectivity {
        if origin.is(NilLiteralExprSyntax.self) { return .everything }
        guard let call = origin.as(FunctionCallExprSyntax.self) else { return .unknown }
        switch call.constructedName ?? call.calledName {
        case "predicateForSamples":
            let isOpen = isOpen(call.argument("withStart")) && isOpen(call.argument("end"))
            return isOpen ? .everything : .part
        case "NSPredicate": return selectivity(ofFormat: call)
        case "NSCompoundPredicate": return selectivity(ofCompound: call, depth: depth)
        case let name?: return name.hasPrefix("predicateFor") ? .part : .unknown
        case nil: return .unknown
        }
    }

    /// Checks `NSPredicate(value: true)`, and formats that compare with the distant past or future.
    private func selectivity(ofFormat call: FunctionCallExprSyntax) -> PredicateSelectivity {
        if let value = call.argument("value")?.bare.as(BooleanLiteralExprSyntax.self) {
            return value.literal.tokenKind == .keyword(.true) ? .everything : .part
        }
        guard call.argument("format") != nil else { return .unknown }
        let values = call.arguments.dropFirst().map(\.expression)
        return !values.isEmpty && values.allSatisfy { isOpen($0) } ? .everything : .part
    }

    private func selectivity(ofCompound call: FunctionCallExprSyntax, depth: Int)
        -> PredicateSelectivity
    {
        let kind = call.argument("type")?.bare.as(MemberAccessExprSyntax.self)?.declName.baseName
            .text
        let isAnd = call.argument("andPredicateWithSubpredicates") != nil || kind == "and"
        let isOr = call.argument("orPredicateWithSubpredicates") != nil || kind == "or"
        let list =
            call.argument("andPredicateWithSubpredicates")
            ?? call.argument("orPredicateWithSubpredicates") ?? call.argument("subpredicates")
        guard isAnd || isOr, let list else { return .unknown }
        let selectivities = elements(of: list).map { selectivity($0, depth: depth + 1) }
        if selectivities.isEmpty { return .unknown }
        if isAnd {
            if selectivities.allSatisfy({ $0 == .everything }) { return .everything }
            return selectivities.contains(.part) ? .part : .unknown
        }
        if selectivities.contains(.everything) { return .everything }
        return selectivities.contains(.unknown) ? .unknown : .part
    }

    /// Returns whether a bound is open: nil, omitted, or the distant past or future.
    private func isOpen(_ bound: ExprSyntax?) -> Bool {
        guard let bound else { return true }
        return origins(of: bound).allSatisfy { origin in
            if origin.is(NilLiteralExprSyntax.self) { return true }
            let name = origin.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            return name == "distantPast" || name == "distantFuture"
        }
    }
}
