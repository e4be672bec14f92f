import SwiftSyntax

/// What the conditions in a handler say about success: HealthKit gives either results or an error.
struct HandlerOutcome {
    enum Outcome: Sendable {
        case unknown, success, failure
    }

    /// What one condition asks.
    enum Question: Sendable, Equatable {
        /// It holds for one outcome and fails for the other.
        case outcome(Outcome)
        /// It may hold for this outcome only.
        case atMost(Outcome)
        /// Whether `self` is still there.
        case ownSelf
        /// Whether the callback itself is there.
        case callback
        /// Whether the callback was called before, by a flag.
        case flag
        case opaque
    }

    let errors: Set<String>
    let results: Set<String>

    /// Creates the outcome of a handler's parameters.
    init(_ closure: ClosureExprSyntax, results: [Int], error: Int) {
        errors = Set([closure.parameter(error)].compactMap { $0 })
        self.results = Set(results.compactMap { closure.parameter($0) })
    }

    /// Creates the outcome for code outside of handlers.
    init() { (errors, results) = ([], []) }

    init(errors: Set<String>) { (self.errors, results) = (errors, []) }

    func question(
        of element: ConditionElementSyntax, callbacks: Set<String>, flags: Set<String>
    ) -> Question {
        if element.asksFlag(flags) { return .flag }
        switch element.condition {
        case .optionalBinding(let binding):
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            if let value = binding.initializer?.value {
                return question(ofValue: value, callbacks: callbacks)
            }
            return pattern.map { question(ofName: $0, callbacks: callbacks) } ?? .opaque
        case .expression(let expression): return question(of: expression, callbacks)
        default: return .opaque
        }
    }

    private func question(ofName name: String, callbacks: Set<String>) -> Question {
        if name == "self" { return .ownSelf }
        if errors.contains(name) { return .outcome(.failure) }
        if results.contains(name) { return .outcome(.success) }
        return callbacks.contains(name) ? .callback : .opaque
    }

    /// Returns what `if let x = value` asks.
    private func question(ofValue value: ExprSyntax, callbacks: Set<String>) -> Question {
        let bare = value.bare
        if let name = bare.as(DeclReferenceExprSyntax.self)?.baseName.text {
            let plain = question(ofName: name, callbacks: callbacks)
            if plain == .outcome(.failure), value.mentionsCast { return .atMost(.failure) }
            return plain
        }
        if bare.is(TryExprSyntax.self) || value.is(TryExprSyntax.self) { return .opaque }
        guard let root = bare.rootName else { return .opaque }
        if results.contains(root) { return .atMost(.success) }
        return errors.contains(root) ? .atMost(.failure) : .opaque
    }

    /// Returns what `x == nil`, `success`, `!success` and combinations ask.
    private func question(of expression: ExprSyntax, _ callbacks: Set<String>) -> Question {
        if let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
            switch question(of: prefix.expression, callbacks) {
            case .outcome(.success): return .outcome(.failure)
            case .outcome(.failure): return .outcome(.success)
            default: return .opaque
            }
        }
        if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text {
            return results.contains(name) ? .outcome(.success) : .opaque
        }
        guard let sequence = expression.as(SequenceExprSyntax.self) else { return .opaque }
        let parts = Array(sequence.elements).split { element in
            ["&&", "||"].contains(element.as(BinaryOperatorExprSyntax.self)?.operator.text)
        }
        let questions = parts.map { part in
            part.count == 1
                ? question(of: part[part.startIndex], callbacks) : comparison(Array(part))
        }
        guard let first = questions.first, questions.allSatisfy({ $0 == first }) else {
            return .opaque
        }
        return first
    }

    private func comparison(_ parts: [ExprSyntax]) -> Question {
        guard parts.count == 3, let name = parts[0].as(DeclReferenceExprSyntax.self)?.baseName.text,
            let sign = parts[1].as(BinaryOperatorExprSyntax.self)?.operator.text,
            sign == "==" || sign == "!="
        else { return .opaque }
        if name == "self" { return .ownSelf }
        let isPresent: Bool
        if parts[2].is(NilLiteralExprSyntax.self) {
            isPresent = sign == "!="
        } else if let literal = parts[2].as(BooleanLiteralExprSyntax.self) {
            isPresent = (literal.literal.tokenKind == .keyword(.true)) == (sign == "==")
        } else {
            return .opaque
        }
        if errors.contains(name) { return .outcome(isPresent ? .failure : .success) }
        if results.contains(name) { return .outcome(isPresent ? .success : .failure) }
        return .opaque
    }
}

extension ConditionElementSyntax {
    /// Whether the condition tests a flag that says if something was done before.
    fileprivate func asksFlag(_ flags: Set<String>) -> Bool {
        Syntax(self).descendants.contains { node in
            guard let reference = node.as(DeclReferenceExprSyntax.self) else { return false }
            let name = reference.baseName.text
            // `samples.first` is no flag.
            if name == "first" { return false }
            return flags.contains(name) || RepeatedHandler.namesOnce(name)
        }
    }
}

extension ExprSyntax {
    /// The first name of a chain of members, calls and subscripts.
    fileprivate var rootName: String? {
        var expression = bare
        for _ in 0..<32 {
            if let name = expression.as(DeclReferenceExprSyntax.self) { return name.baseName.text }
            let next =
                expression.as(MemberAccessExprSyntax.self)?.base
                ?? expression.as(FunctionCallExprSyntax.self)?.calledExpression
                ?? expression.as(SubscriptCallExprSyntax.self)?.calledExpression
            guard let next else { return nil }
            expression = next.bare
        }
        return nil
    }

    fileprivate var mentionsCast: Bool {
        Syntax(self).descendants.contains {
            $0.is(UnresolvedAsExprSyntax.self) || $0.is(AsExprSyntax.self)
        }
    }
}
