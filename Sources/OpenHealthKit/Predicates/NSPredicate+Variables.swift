public import Foundation

/// A predicate whose tree a store can evaluate.
protocol NodePredicate: NSPredicate {
    var node: PredicateNode { get }

    /// Returns the predicate with variables replaced. Variables without a value stay.
    func substituting(_ variables: [String: Any]) -> NSPredicate
}

#if !canImport(ObjectiveC)
    // Not declared in the class itself: Foundation has an unavailable function with the same name.
    extension _Substitutable where Self: NSPredicate {
        /// Returns the predicate with values for its variables.
        ///
        /// ```
        /// let template = NSPredicate(format: "startDate >= $START AND endDate < $END")
        /// let day = template.withSubstitutionVariables(["START": midnight, "END": nextMidnight])
        /// ```
        ///
        /// Foundation raises an exception if a variable has no value. Here the variable stays: a
        /// query reports `errorInvalidArgument` with its name, and `evaluate(with:)` returns false.
        /// A predicate with a block receives the values as its bindings.
        ///
        /// - Parameter variables: The values by the variables' names, without `$`.
        /// - Returns: The predicate with the values.
        /// - Complexity: O(n) in the size of the predicate.
        public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
            NSPredicate.substituting(variables, in: self, depth: 0) as? Self ?? self
        }
    }

    extension NSPredicate {
        fileprivate static func substituting(
            _ variables: [String: Any], in predicate: NSPredicate, depth: Int
        ) -> NSPredicate {
            // A query rejects a predicate that is nested deeper, so its variables don't matter.
            guard depth <= PredicateNode.maximumDepth else { return predicate }
            if let own = predicate as? any NodePredicate { return own.substituting(variables) }
            if let compound = predicate as? NSCompoundPredicate {
                return NSCompoundPredicate(
                    type: compound.compoundPredicateType,
                    subpredicates: compound.subpredicates.map {
                        substituting(variables, in: $0, depth: depth + 1)
                    })
            }
            guard case .invalid = PredicateNode(predicate) else { return predicate }
            return NSPredicate { object, bindings in
                predicate.evaluate(
                    with: object,
                    substitutionVariables: variables.merging(bindings ?? [:]) { own, _ in own })
            }
        }
    }
#endif

extension PredicateNode {
    /// Replaces variables by constants. Variables without a value stay.
    func substituting(_ variables: [String: PredicateConstant]) -> PredicateNode {
        switch self {
        case .and(let nodes): .and(nodes.map { $0.substituting(variables) })
        case .or(let nodes): .or(nodes.map { $0.substituting(variables) })
        case .not(let node): .not(node.substituting(variables))
        case .activity(let node): .activity(node.substituting(variables))
        case .comparison(let comparison): .comparison(comparison.substituting(variables))
        case .always, .never, .statistic, .invalid: self
        }
    }
}

extension PredicateComparison {
    fileprivate func substituting(
        _ variables: [String: PredicateConstant]
    ) -> PredicateComparison {
        var comparison = self
        comparison.constant = constant.substituting(variables)
        return comparison
    }
}

extension PredicateConstant {
    fileprivate func substituting(_ variables: [String: PredicateConstant]) -> PredicateConstant {
        switch self {
        case .variable(let name): variables[name] ?? self
        case .list(let constants): .list(constants.map { $0.substituting(variables) })
        default: self
        }
    }
}
