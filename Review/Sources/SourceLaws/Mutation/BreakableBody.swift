import SwiftSyntax

/// The body of a function, initializer or getter, which can be mutated: by another value of the
/// result's type, a changed argument or a changed literal.
struct BreakableBody {
    private let statements: CodeBlockItemListSyntax
    private let type: TypeSyntax?

    init(_ statements: CodeBlockItemListSyntax, returns type: TypeSyntax?) {
        (self.statements, self.type) = (statements, type)
    }

    init(_ body: CodeBlockSyntax, returns type: TypeSyntax?) {
        self.init(body.statements, returns: type)
    }

    /// Returns a change that breaks the body; nil if the body is empty or no known change applies.
    ///
    /// - Parameter parameters: The parameters to change if no wrong value of the result's type is
    ///   known; nil for a getter.
    func edit(mutating parameters: FunctionParameterClauseSyntax?) -> SourceChange? {
        guard !statements.isEmpty else { return nil }
        if let type, let wrong = wrongValue(of: type) {
            let range =
                statements
                .positionAfterSkippingLeadingTrivia..<statements.endPositionBeforeTrailingTrivia
            return SourceChange(
                range: range, replacement: "return \(wrong)", summary: "return \(wrong)",
                switched: SwitchedChange(
                    range: range,
                    replacement: "if \(SwitchedChange.condition) { return \(wrong) }; "
                        + valueWord + statements.trimmedDescription))
        }
        return parameters.flatMap(mutatedArgument) ?? LiteralSearch.edit(in: statements)
    }

    private func wrongValue(of type: TypeSyntax) -> String? {
        let name = type.trimmedDescription
        if let value = wrongValues[name] { return value }
        if type.is(OptionalTypeSyntax.self) { return "nil" }
        if type.is(DictionaryTypeSyntax.self) { return "[:]" }
        return type.is(ArrayTypeSyntax.self) || name.hasPrefix("Set<") ? "[]" : nil
    }

    /// Returns a change that inserts a statement at the start of the body, which replaces an
    /// argument: `let step = step + 7`. Nil without a parameter of a type in ``mutatedArguments``.
    private func mutatedArgument(_ parameters: FunctionParameterClauseSyntax) -> SourceChange? {
        for parameter in parameters.parameters {
            guard let mutated = mutatedArguments[parameter.type.trimmedDescription] else {
                continue
            }
            let name = (parameter.secondName ?? parameter.firstName).text
            if name == "_" { continue }
            let change = "let \(name) = " + mutated.replacing("$", with: name)
            let start = statements.positionAfterSkippingLeadingTrivia
            let switched =
                "let \(name) = \(SwitchedChange.condition) ? "
                + "(\(mutated.replacing("$", with: name))) : \(name); "
            return SourceChange(
                range: start..<start, replacement: change + "; " + valueWord, summary: change,
                switched: SwitchedChange(
                    range: start..<start, replacement: switched + valueWord))
        }
        return nil
    }

    /// The text to insert before the body's only expression: "return ", because the result isn't
    /// implicit once a statement is added. Empty for other bodies and without a result.
    private var valueWord: String {
        guard type != nil, statements.count == 1, let item = statements.first?.item
        else { return "" }
        switch item {
        case .expr(let expression): return isBranch(expression) ? branchWord : "return "
        case .stmt(let statement):
            let expression = statement.as(ExpressionStmtSyntax.self)?.expression
            return expression.map(isBranch) == true ? branchWord : ""
        default: return ""
        }
    }

    private func isBranch(_ expression: ExprSyntax) -> Bool {
        expression.is(SwitchExprSyntax.self) || expression.is(IfExprSyntax.self)
    }

    /// "return " for an `if` or `switch` that is a value, and empty for one that returns itself.
    private var branchWord: String {
        statements.tokens(viewMode: .sourceAccurate).contains { $0.text == "return" }
            ? "" : "return "
    }
}

/// For each type of a result, an expression of a value that no test should accept.
private let wrongValues: [String: String] = [
    "Int": "-91234", "Double": "-91234.5", "TimeInterval": "-91234.5", "String": "\"wrong\"",
    "Date": "Date(timeIntervalSinceReferenceDate: -91234)", "UUID": "UUID()",
    "HKQuantity": "HKQuantity(unit: HKUnit(from: \"IU\"), doubleValue: -91234)",
    "HKUnit": "HKUnit(from: \"IU\")", "NSPredicate": "NSPredicate(value: false)",
    "HKSource": "HKSource(_name: \"wrong\", bundleIdentifier: \"wrong\")",
    "HKQuantityType": "HKQuantityType(.nikeFuel)", "DateInterval": "DateInterval()",
    "ComparisonResult": ".orderedSame", "HKWorkoutActivityType": ".curling",
]

/// For each type of a parameter, the expression that replaces the argument. `$` is the argument's
/// name. They are for bodies whose result has no type in ``wrongValues``.
private let mutatedArguments: [String: String] = [
    "Double": "$ + 91234", "Int": "$ + 7", "Date": "$.addingTimeInterval(91234)",
    "Date?": "$?.addingTimeInterval(91234)", "String": "$ + \"X\"",
    "String?": "($ ?? \"\") + \"X\" as String?",
    "TimeInterval": "$ + 91234", "[String : Any]?": "nil as [String: Any]?",
    "[String: Any]?": "nil as [String: Any]?",
    "NSPredicate?": "NSPredicate(value: false) as NSPredicate?",
    "HKQuantity": "HKQuantity(unit: HKUnit(from: \"IU\"), doubleValue: -91234)",
    "HKQuantity?": "nil as HKQuantity?",
    "[HKSample]": "[HKSample]()", "[HKObject]": "[HKObject]()",
    "HKStatisticsOptions": "[.duration]",
    "Set<HKSampleType>": "Set<HKSampleType>()", "Set<HKObjectType>": "Set<HKObjectType>()",
]
