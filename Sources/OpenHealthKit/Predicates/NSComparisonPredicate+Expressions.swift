#if !canImport(ObjectiveC)
    public import Foundation
    import HealthEngine

    // Foundation on Linux declares these members of NSComparisonPredicate as unavailable.
    extension _Substitutable where Self: _ComparisonPredicate {
        /// Creates a comparison of two expressions. Queries evaluate it as the same comparison in
        /// `NSPredicate(format:)`.
        ///
        /// ```
        /// NSComparisonPredicate(
        ///     leftExpression: NSExpression(forKeyPath: HKPredicateKeyPathStartDate),
        ///     rightExpression: NSExpression(forConstantValue: midnight),
        ///     modifier: .direct, type: .greaterThanOrEqualTo, options: [])
        /// ```
        ///
        /// One side must be a key path, the other a constant, list or variable. A query reports
        /// `errorInvalidArgument` for anything else, for the modifiers `.any` and `.all`, and for
        /// the option `.diacriticInsensitive`.
        ///
        /// - Parameters:
        ///   - lhs: The left expression.
        ///   - rhs: The right expression.
        ///   - modifier: `.direct`.
        ///   - type: The comparison operator.
        ///   - options: `.caseInsensitive` for `==`, `!=`, `IN` and text operators.
        public init(
            leftExpression lhs: _Expression, rightExpression rhs: _Expression,
            modifier: _ComparisonPredicate.Modifier, type: _ComparisonOperator,
            options: _ComparisonPredicate.Options = []
        ) {
            guard Self.self == _ComparisonPredicate.self else {
                trap(
                    HKError(
                        .errorInvalidArgument,
                        "Subclasses of NSComparisonPredicate can't be created."))
            }
            let parts = ComparisonParts(
                left: lhs, right: rhs, modifier: modifier, type: type, options: options)
            self.init(substituting: parts.predicate)
        }

        /// The comparison operator.
        public var predicateOperatorType: _ComparisonOperator { parts?.type ?? .equalTo }

        /// Whether the comparison applies to the value itself or to the elements of a collection.
        public var comparisonPredicateModifier: _ComparisonPredicate.Modifier {
            parts?.modifier ?? .direct
        }

        /// The left expression.
        public var leftExpression: _Expression {
            parts?.left ?? ExpressionContent.evaluatedObject.expression
        }

        /// The right expression.
        public var rightExpression: _Expression {
            parts?.right ?? ExpressionContent.evaluatedObject.expression
        }

        /// The options for comparing text.
        public var options: _ComparisonPredicate.Options { parts?.options ?? [] }

        private var parts: ComparisonParts? { (self as? any ComparisonPartsOwner)?.parts }
    }

    /// The parts of a comparison, as an object: see ``StoredComparison``.
    final class ComparisonParts {
        let left: _Expression
        let right: _Expression
        let modifier: _ComparisonPredicate.Modifier
        let type: _ComparisonOperator
        let options: _ComparisonPredicate.Options
        let node: PredicateNode

        init(
            left: _Expression, right: _Expression, modifier: _ComparisonPredicate.Modifier,
            type: _ComparisonOperator, options: _ComparisonPredicate.Options
        ) {
            (self.left, self.right, self.modifier) = (left, right, modifier)
            (self.type, self.options) = (type, options)
            do {
                node = try Self.node(left, right, modifier, type, options)
            } catch {
                node = .invalid("Predicate: \(error.reason).", text: "FALSEPREDICATE")
            }
        }

        private static func node(
            _ left: _Expression, _ right: _Expression, _ modifier: _ComparisonPredicate.Modifier,
            _ type: _ComparisonOperator, _ options: _ComparisonPredicate.Options
        ) throws(UnsupportedComparison) -> PredicateNode {
            guard modifier == .direct else {
                throw UnsupportedComparison(
                    reason: "a health store supports only the modifier direct")
            }
            guard options.isSubset(of: [.caseInsensitive, .normalized]) else {
                throw UnsupportedComparison(
                    reason: "a health store supports only the option caseInsensitive")
            }
            return try PredicateNode(
                try operand(left), PredicateOperator(type),
                options.contains(.caseInsensitive) ? .ignored : .significant, try operand(right))
        }

        private static func operand(
            _ expression: _Expression
        ) throws(UnsupportedComparison) -> PredicateOperand {
            guard let owner = expression as? any ExpressionContentOwner else {
                throw UnsupportedComparison(
                    reason: "a health store can't run a \(Swift.type(of: expression))")
            }
            return try owner.content.operand()
        }

        /// Returns the parts with variables replaced.
        func substituting(_ variables: [String: Any]) -> ComparisonParts {
            func replaced(_ expression: _Expression) -> _Expression {
                (expression as? any ExpressionContentOwner)?.content.substituting(variables)
                    .expression ?? expression
            }
            return ComparisonParts(
                left: replaced(left), right: replaced(right), modifier: modifier, type: type,
                options: options)
        }

        /// A new comparison with these parts.
        var predicate: _ComparisonPredicate {
            reclassified(
                ComparisonStorage(self), as: _Expressions<StoredExpressions>.Comparison.self)
        }
    }

    /// A comparison with its parts.
    protocol ComparisonPartsOwner: NSPredicate {
        var parts: ComparisonParts? { get }
    }

    /// An object with the layout of ``StoredComparison`` that can be created.
    private final class ComparisonStorage: NSPredicate {
        private var parts: ComparisonParts?

        init(_ parts: ComparisonParts) {
            self.parts = parts
            super.init(value: false)
        }

        required init?(coder: NSCoder) { nil }
    }

    /// The subclass of all comparisons of this package. Deprecated only because its superclass is.
    @available(*, deprecated, message: "Write NSComparisonPredicate")
    final class StoredComparison: NSComparisonPredicate, ComparisonPartsOwner, NodePredicate {
        private(set) var parts: ComparisonParts?

        var node: PredicateNode { parts?.node ?? .never }

        func substituting(_ variables: [String: Any]) -> NSPredicate {
            parts?.substituting(variables).predicate ?? self
        }

        override func evaluate(with object: Any?) -> Bool {
            HKPredicate(node).evaluate(with: object)
        }

        override func evaluate(
            with object: Any?, substitutionVariables bindings: [String: Any]?
        ) -> Bool {
            HKPredicate(node).evaluate(with: object, substitutionVariables: bindings)
        }

        override var predicateFormat: String { node.description }

        override var description: String { node.description }

        override func copy(with zone: NSZone? = nil) -> Any { self }

        override func isEqual(_ object: Any?) -> Bool {
            guard let parts, let other = (object as? StoredComparison)?.parts else { return false }
            return parts.left == other.left && parts.right == other.right
                && parts.modifier == other.modifier && parts.type == other.type
                && parts.options == other.options
        }

        override var hash: Int { node.hashValue }
    }
#endif
