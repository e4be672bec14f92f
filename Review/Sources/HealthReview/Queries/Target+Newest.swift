import SwiftSyntax

extension Target {
    /// Returns whether only the newest of some samples is used: `samples.last`,
    /// `samples.max(by:)`. Other names for the samples, and functions of the target that they are
    /// passed to, are followed.
    ///
    /// - Complexity: bounded: 16 names.
    func usesOnlyNewest(of name: String, in body: some SyntaxProtocol) -> Bool {
        var pending = [(name: name, body: Syntax(body))]
        var seen: Set<String> = []
        var isUsed = false
        while let next = pending.popLast() {
            guard seen.insert("\(next.name) \(next.body.position.utf8Offset)").inserted else {
                continue
            }
            guard seen.count < 16 else { return false }
            for reference in next.body.references(to: next.name) where !reference.isIdle {
                switch newestUse(of: reference) {
                case .newest: isUsed = true
                case .test: break
                case .named(let alias): pending.append((alias, next.body))
                case .passed(let parameter, let body): pending.append((parameter, body))
                case .other: return false
                }
            }
        }
        return isUsed
    }

    /// How samples are used.
    enum NewestUse {
        /// One sample is taken.
        case newest
        /// They are only tested: `samples.isEmpty`.
        case test
        case named(String)
        case passed(parameter: String, body: Syntax)
        case other
    }

    /// Returns how the value of a node is used, after methods that keep several samples.
    func newestUse(of node: Syntax) -> NewestUse {
        var node = node
        for _ in 0..<16 {
            if let alias = node.alias { return .named(alias) }
            guard let parent = node.parent else { return .other }
            switch parent.as(SyntaxEnum.self) {
            case .memberAccessExpr(let access):
                guard access.base.map({ Syntax($0) }) == node else { return .other }
                switch access.declName.baseName.text {
                case "first", "last", "max", "min": return .newest
                case "isEmpty": return .test
                case "sorted", "filter", "compactMap", "reversed", "lazy", "prefix", "suffix": break
                default: return .other
                }
            case .functionCallExpr(let call):
                guard Syntax(call.calledExpression) == node else { return .other }
            case .subscriptCallExpr(let call):
                return Syntax(call.calledExpression) == node ? .newest : .other
            case .labeledExpr(let argument): return passed(argument)
            case .optionalChainingExpr, .forceUnwrapExpr, .asExpr, .tryExpr, .awaitExpr: break
            case .tupleExpr(let tuple): if tuple.elements.count != 1 { return .other }
            case .exprList(let list):
                guard list.count == 3, list.first.map({ Syntax($0) }) == node else { return .other }
            case .sequenceExpr(let sequence):
                let middle = Array(sequence.elements)[1]
                guard
                    middle.is(UnresolvedAsExprSyntax.self)
                        || middle.as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
                else { return .other }
            default: return .other
            }
            node = parent
        }
        return .other
    }

    private func passed(_ argument: LabeledExprSyntax) -> NewestUse {
        if let tuple = argument.parent?.parent?.as(TupleExprSyntax.self) {
            return tuple.elements.count == 1 ? newestUse(of: Syntax(tuple)) : .other
        }
        guard let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
            let function = function(calledBy: call), let body = function.body
        else { return .other }
        let known = KnownCall(function: function, call: call)
        let parameter = function.signature.parameterClause.parameters.first {
            known.argument(for: $0)?.id == argument.expression.id
        }
        return parameter.map { .passed(parameter: $0.ownName, body: Syntax(body)) } ?? .other
    }
}
