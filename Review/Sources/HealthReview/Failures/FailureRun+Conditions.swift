import SwiftSyntax

extension FailureRun {
    /// Returns whether a list of conditions holds, and binds the names that it introduces.
    ///
    /// A test of the error that isn't understood mutes the rest of the run.
    mutating func truth(of conditions: ConditionElementListSyntax) -> FailureValue {
        let before = hasReadError
        hasReadError = false
        defer { hasReadError = before }
        var result: FailureValue = .yes
        for element in conditions {
            let truth = observed { run in run.truth(of: element.condition) }
            if isThrowing || truth == .no { return .no }
            if truth != .yes { result = .unknown }
        }
        if result == .unknown, hasReadError { isMuted = true }
        return result
    }

    private mutating func truth(of condition: ConditionElementSyntax.Condition) -> FailureValue {
        switch condition {
        case .expression(let expression):
            let value = value(of: expression)
            return value == .yes || value == .no ? value : .unknown
        case .optionalBinding(let binding): return truth(of: binding)
        case .matchingPattern(let matching):
            let subject = value(of: matching.initializer.value)
            let takesSuccess = matching.pattern.contains("success")
            let takesFailure = matching.pattern.contains("failure")
            for name in matching.pattern.all(IdentifierPatternSyntax.self) {
                names[name.identifier.text] = subject
            }
            if subject == .failure, takesSuccess || takesFailure {
                return takesFailure ? .yes : .no
            }
            return subject.isMadeUp && takesSuccess ? .yes : .unknown
        case .availability: return .yes
        }
    }

    private mutating func truth(of binding: OptionalBindingConditionSyntax) -> FailureValue {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
            _ = binding.initializer.map { self.value(of: $0.value) }
            return .unknown
        }
        if name == "self" { return .yes }
        let value: FailureValue
        if let initial = binding.initializer?.value {
            value = self.value(of: initial)
        } else {
            value = names[name] ?? .unknown
            if value == .failure { return .yes }
        }
        guard value != .missing else { return .no }
        names[name] = value
        if value == .unknown { return .unknown }
        // The error is there: that was asked, not what it is.
        if value == .failure { hasReadError = false }
        return .yes
    }
}

extension FailureRun {
    /// Returns the value of operators and their operands, which are unfolded in the tree.
    mutating func value(ofSequence elements: ArraySlice<ExprSyntax>) -> FailureValue {
        depth += 1
        defer { depth -= 1 }
        guard mayStep(), let first = elements.first else { return .unknown }
        if elements.count == 1 { return value(of: first) }
        if let attempt = first.as(TryExprSyntax.self), attempt.questionOrExclamationMark != nil {
            // `try? await x ?? 0`: the `try` covers all operands.
            let result = value(ofSequence: ([attempt.expression] + elements.dropFirst())[...])
            return caught(attempt, result)
        }
        if let place = elements.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }) {
            return choice(elements, at: place)
        }
        for operators in [["||"], ["&&"], Self.comparisons, ["??"]] {
            guard let place = elements.firstIndex(where: { operators.contains($0.operatorText) })
            else { continue }
            return value(
                of: elements[place].operatorText, elements[..<place], elements[(place + 1)...])
        }
        if let place = elements.firstIndex(where: { !$0.operatorText.isEmpty }) {
            let left = value(ofSequence: elements[..<place])
            let right = value(ofSequence: elements[(place + 1)...])
            return Self.sum(left, right)
        }
        // `x as? Y`, `x is Y`.
        let value = value(of: first)
        guard let cast = elements.dropFirst().first else { return value }
        if let cast = cast.as(UnresolvedAsExprSyntax.self) {
            let type = elements.last?.as(TypeExprSyntax.self)?.type
            if cast.questionOrExclamationMark?.tokenKind == .exclamationMark, value == .missing,
                type?.is(OptionalTypeSyntax.self) == false
            {
                stop(at: cast)
            }
            return value
        }
        return .unknown
    }

    private static let comparisons = ["==", "!=", "<", ">", "<=", ">=", "===", "!==", "~="]

    private mutating func choice(_ elements: ArraySlice<ExprSyntax>, at place: Int) -> FailureValue
    {
        guard let ternary = elements[place].as(UnresolvedTernaryExprSyntax.self) else {
            return .unknown
        }
        let test = observed { $0.value(ofSequence: elements[..<place]) }
        let rest = elements[(place + 1)...]
        switch test {
        case .yes: return value(of: ternary.thenExpression)
        case .no: return value(ofSequence: rest)
        default: return value(of: ternary.thenExpression).joined(value(ofSequence: rest))
        }
    }

    private mutating func value(
        of operation: String, _ left: ArraySlice<ExprSyntax>, _ right: ArraySlice<ExprSyntax>
    ) -> FailureValue {
        let first = value(ofSequence: left)
        switch operation {
        case "||":
            if first == .yes { return .yes }
            let second = value(ofSequence: right)
            return second == .yes ? .yes : first == .no ? second : .unknown
        case "&&":
            if first == .no { return .no }
            let second = value(ofSequence: right)
            return second == .no ? .no : first == .yes ? second : .unknown
        case "??":
            if first != .missing, first != .unknown { return first }
            let second = value(ofSequence: right)
            if first == .unknown { return .unknown }
            if second.isLiteral, firstZero == nil, hasFailed, let node = left.first {
                firstZero = Syntax(node)
            }
            return second.asResult
        default:
            let second = value(ofSequence: right)
            let result = Self.compared(first, operation, second, right)
            // `error != nil` asks whether there is an error, not which one.
            if result != .unknown { hasReadError = false }
            return result
        }
    }

    private static func compared(
        _ first: FailureValue, _ operation: String, _ second: FailureValue,
        _ right: ArraySlice<ExprSyntax>
    ) -> FailureValue {
        let isEqual: FailureValue
        switch (first, second) {
        case (.missing, .missing), (.yes, .yes), (.no, .no): isEqual = .yes
        case (.missing, .literal), (.missing, .emptyLiteral), (.missing, .present),
            (.missing, .yes), (.missing, .no),
            (.yes, .no), (.no, .yes):
            isEqual = .no
        case (_, .missing) where first != .unknown, (.missing, _) where second != .unknown:
            isEqual = .no
        case (.failure, _): isEqual = right.isLockedDeviceCode
        case (.zero, .literal), (.literal, .literal):
            return switch operation {
            case "==", ">=", "<=": .yes
            case "!=", ">", "<": .no
            default: .unknown
            }
        case (.zero, .present) where right.first?.is(IntegerLiteralExprSyntax.self) == true:
            return ["<", "<=", "!="].contains(operation) ? .yes : .no
        case (.zero, .unknown) where [">", ">=", "<"].contains(operation):
            // Nothing is as much as a goal, whatever the goal is.
            return operation == "<" ? .yes : .no
        default: return .unknown
        }
        return switch operation {
        case "==", "===": isEqual
        case "!=", "!==": isEqual.negated
        default: .unknown
        }
    }

    private static func sum(_ left: FailureValue, _ right: FailureValue) -> FailureValue {
        if left.deliversZero, right.deliversZero { return left.isLiteral ? right : left }
        let result = FailureValue(of: [left, right])
        // A list that is continued by nothing stays as it was.
        return result == .present || result == .empty ? .unknown : result
    }
}

extension ArraySlice<ExprSyntax> {
    /// Whether the error of a locked device equals this code.
    fileprivate var isLockedDeviceCode: FailureValue {
        guard count == 1, let code = first?.bare else { return .unknown }
        if let number = code.as(IntegerLiteralExprSyntax.self)?.literal.text {
            return number == "6" ? .yes : .no
        }
        let words = code.tokens(viewMode: .sourceAccurate).map(\.text)
        if words.contains("errorDatabaseInaccessible") { return .yes }
        if words.contains(where: { $0.hasPrefix("error") }) || words.contains("noData") {
            return .no
        }
        return .unknown
    }
}

extension ExprSyntax {
    /// The binary operator, or an empty text.
    fileprivate var operatorText: String {
        self.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
    }
}
