#if !canImport(ObjectiveC)
    public import Foundation

    // Foundation on Linux declares these members of NSExpression as unavailable.
    extension _Substitutable where Self: _Expression {
        /// Creates an expression with a value.
        ///
        /// - Parameter obj: A string, number, date, UUID, quantity, source, device, object of a
        ///   store or an array of these; nil and `NSNull` stand for a missing value.
        public init(forConstantValue obj: Any?) {
            self.init(content: .constant(PredicateConstant.unwrapped(obj)))
        }

        /// Creates an expression for an attribute of samples.
        ///
        /// - Parameter keyPath: A key path as in `NSPredicate(format:)`, such as
        ///   `HKPredicateKeyPathStartDate` or `metadata.HKWasUserEntered`.
        public init(forKeyPath keyPath: String) { self.init(content: .keyPath(keyPath)) }

        /// Creates an expression for a variable, which
        /// `NSPredicate.withSubstitutionVariables(_:)` replaces.
        ///
        /// - Parameter string: The variable's name, without `$`.
        public init(forVariable string: String) { self.init(content: .variable(string)) }

        /// Creates an expression for a list, as IN and BETWEEN take.
        ///
        /// - Parameter subexpressions: Expressions or values. A query rejects a list with a key
        ///   path.
        public init(forAggregate subexpressions: [Any]) {
            self.init(content: .aggregate(subexpressions))
        }

        /// Parses an expression: a key path, a constant, a list or a variable, as in
        /// `NSPredicate(format:)`.
        ///
        /// Foundation raises an exception for an invalid format and supports arithmetic and
        /// functions. Here a query with such an expression reports `errorInvalidArgument`.
        ///
        /// - Parameters:
        ///   - expressionFormat: The format.
        ///   - args: The values of the placeholders, in order.
        public init(format expressionFormat: String, _ args: Any...) {
            self.init(format: expressionFormat, argumentArray: args)
        }

        /// Parses an expression like ``init(format:_:)``, with the values of the placeholders in an
        /// array.
        ///
        /// - Parameters:
        ///   - expressionFormat: The format.
        ///   - arguments: The values of the placeholders, in order.
        public init(format expressionFormat: String, argumentArray arguments: [Any]) {
            self.init(content: ExpressionContent(expressionFormat, arguments))
        }

        /// Returns the expression for the evaluated object itself. A query rejects it.
        public static func expressionForEvaluatedObject() -> _Expression {
            _Expression(content: .evaluatedObject)
        }

        /// The kind of the expression; `.constantValue` for an invalid format.
        public var expressionType: _Expressions<_FoundationExpressions>.Kind {
            switch content {
            case .constant, .invalid: .constantValue
            case .keyPath: .keyPath
            case .variable: .variable
            case .aggregate: .aggregate
            case .evaluatedObject: .evaluatedObject
            }
        }

        /// The value of a constant; nil for other expressions.
        public var constantValue: Any? {
            if case .constant(let value) = content { value } else { nil }
        }

        /// The key path; empty for other expressions, where Foundation raises an exception.
        public var keyPath: String { if case .keyPath(let path) = content { path } else { "" } }

        /// The name of a variable, without `$`; empty for other expressions, where Foundation
        /// raises an exception.
        public var variable: String { if case .variable(let name) = content { name } else { "" } }

        /// The elements of a list; an empty array for other expressions, where Foundation raises an
        /// exception.
        public var collection: Any {
            if case .aggregate(let elements) = content { elements } else { [Any]() }
        }

        /// Evaluates the expression.
        ///
        /// - Parameters:
        ///   - object: The object that key paths refer to: a sample, source, revision, device or
        ///     dictionary.
        ///   - context: The values of variables, by name without `$`.
        /// - Returns: The value; nil if there is none, and for an unknown key path, where Foundation
        ///   raises an exception. A list has `NSNull` for missing values.
        public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
            switch content {
            case .constant(let value): value
            case .keyPath(let path): KeyPathValue.value(of: object, at: path)
            case .variable(let name): context?.object(forKey: name)
            case .aggregate(let elements):
                elements.map { element in
                    guard let expression = element as? _Expression else { return element }
                    return expression.expressionValue(with: object, context: context) ?? NSNull()
                }
            case .evaluatedObject: object
            case .invalid: nil
            }
        }

        private var content: ExpressionContent {
            (self as? any ExpressionContentOwner)?.content ?? .constant(nil)
        }

        private init(content: ExpressionContent) {
            guard Self.self == _Expression.self else {
                trap(HKError(.errorInvalidArgument, "Subclasses of NSExpression can't be created."))
            }
            self.init(substituting: content.expression)
        }
    }

    /// The content of an expression.
    enum ExpressionContent {
        case constant(Any?)
        case keyPath(String)
        case variable(String)
        case aggregate([Any])
        case evaluatedObject
        /// A format that can't be parsed, with the reason.
        case invalid(String, text: String)

        /// Parses a format; the result is ``invalid(_:text:)`` if the format is invalid.
        init(_ format: String, _ arguments: [Any]) {
            if format.trimmingCharacters(in: .whitespaces).uppercased() == "SELF" {
                self = .evaluatedObject
                return
            }
            do {
                switch try PredicateFormatParser.operand(format, arguments) {
                case .keyPath(let path): self = .keyPath(path)
                case .constant(.variable(let name)): self = .variable(name)
                case .constant(.list(let list)):
                    self = .aggregate(list.map { Self($0).expression })
                case .constant(let constant): self = Self(constant)
                }
            } catch {
                self = .invalid(
                    "\(error.reason) at character \(error.position)", text: format)
            }
        }

        private init(_ constant: PredicateConstant) {
            if case .variable(let name) = constant {
                self = .variable(name)
            } else {
                self = .constant(constant.content)
            }
        }
    }

    extension ExpressionContent {
        /// The expression as an operand of a comparison.
        func operand() throws(UnsupportedComparison) -> PredicateOperand {
            switch self {
            case .constant(let value): return .constant(PredicateConstant(value))
            case .keyPath(let path): return .keyPath(path)
            case .variable(let name): return .constant(.variable(name))
            case .evaluatedObject:
                throw UnsupportedComparison(reason: "SELF is not supported by a health store")
            case .invalid(let reason, _): throw UnsupportedComparison(reason: reason)
            case .aggregate(let elements):
                var constants: [PredicateConstant] = []
                for element in elements { constants.append(try Self.constant(element)) }
                return .constant(.list(constants))
            }
        }

        private static func constant(
            _ element: Any
        ) throws(UnsupportedComparison) -> PredicateConstant {
            guard let owner = element as? any ExpressionContentOwner else {
                return PredicateConstant(element)
            }
            if case .aggregate = owner.content {
                throw UnsupportedComparison(reason: "a list can't contain a list")
            }
            guard case .constant(let constant) = try owner.content.operand() else {
                throw UnsupportedComparison(reason: "a list can't contain a key path")
            }
            return constant
        }

        /// The text in the language of `NSPredicate(format:)`.
        var text: String {
            switch self {
            case .constant(let value): "\(PredicateConstant(value))"
            case .keyPath(let path): path
            case .variable(let name): "$\(name)"
            case .evaluatedObject: "SELF"
            case .invalid(_, let text): text
            case .aggregate(let elements):
                "{\(elements.map(Self.text).joined(separator: ", "))}"
            }
        }

        private static func text(_ element: Any) -> String {
            (element as? any ExpressionContentOwner)?.content.text
                ?? "\(PredicateConstant(element))"
        }

        /// Replaces variables by their values. Variables without a value stay.
        func substituting(_ variables: [String: Any]) -> ExpressionContent {
            switch self {
            case .variable(let name):
                variables[name].map { .constant(PredicateConstant.unwrapped($0)) } ?? self
            case .aggregate(let elements):
                .aggregate(
                    elements.map { element in
                        (element as? any ExpressionContentOwner)?.content
                            .substituting(variables).expression ?? element
                    })
            default: self
            }
        }
    }

    extension PredicateConstant {
        /// The value that the constant was made from, with numbers as `NSNumber`; nil for no value.
        fileprivate var content: Any? {
            switch self {
            case .null, .unsupported, .variable: nil
            case .number(let number): NSNumber(value: number)
            case .string(let text): text
            case .date(let date): date
            case .uuid(let uuid), .object(let uuid): uuid
            case .quantity(let quantity): quantity
            case .source(let source): source
            case .revision(let revision): revision
            case .device(let device): device
            case .day(let components): components
            case .list(let constants): constants.map { $0.content ?? NSNull() }
            }
        }
    }
#endif
