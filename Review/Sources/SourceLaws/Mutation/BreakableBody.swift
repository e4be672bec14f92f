import SwiftSyntax

/// A body that can be mutated: by another value of the declared type, a changed argument or a
/// changed literal.
struct BreakableBody {
    private let statements: CodeBlockItemListSyntax
    private let type: TypeSyntax?

    init(_ statements: CodeBlockItemListSyntax, returns type: TypeSyntax?) {
        (self.statements, self.type) = (statements, type)
    }

    init(_ body: CodeBlockSyntax, returns type: TypeSyntax?) {
        self.init(body.statements, returns: type)
    }

    /// Returns a change that breaks the body.
    ///
    /// - Parameter parameters: The parameters to change if no wrong value of the type is known.
    func edit(spoiling parameters: FunctionParameterClauseSyntax?) -> SourceChange? {
        guard !statements.isEmpty else { return nil }
        if let type, let wrong = wrongValue(of: type) {
            return SourceChange(
                range: statements
                    .positionAfterSkippingLeadingTrivia..<statements.endPositionBeforeTrailingTrivia,
                replacement: "return \(wrong)", summary: "return \(wrong)")
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

    /// Returns a change that replaces an argument at the start of the body.
    private func mutatedArgument(_ parameters: FunctionParameterClauseSyntax) -> SourceChange? {
        for parameter in parameters.parameters {
            guard let spoilt = mutatedArguments[parameter.type.trimmedDescription] else { continue }
            let name = (parameter.secondName ?? parameter.firstName).text
            if name == "_" { continue }
            let change = "let \(name) = " + spoilt.replacing("$", with: name)
            let start = statements.positionAfterSkippingLeadingTrivia
            return SourceChange(
                range: start..<start, replacement: change + "; " + valueWord, summary: change)
        }
        return nil
    }

    /// The `return` to insert: a single-expression body has no implicit result once a statement is
    /// added.
    private var valueWord: String {
        guard type != nil, statements.count == 1, case .expr? = statements.first?.item
        else { return "" }
        return "return "
    }
}

/// Values that no test should accept.
private let wrongValues: [String: String] = [
    "Int": "-91234", "Double": "-91234.5", "TimeInterval": "-91234.5", "String": "\"wrong\"",
    "Date": "Date(timeIntervalSinceReferenceDate: -91234)", "UUID": "UUID()",
    "HKQuantity": "HKQuantity(unit: HKUnit(from: \"IU\"), doubleValue: -91234)",
    "HKUnit": "HKUnit(from: \"IU\")", "NSPredicate": "NSPredicate(value: false)",
    "HKSource": "HKSource(name: \"wrong\", bundleIdentifier: \"wrong\")",
    "HKQuantityType": "HKQuantityType(.nikeFuel)", "DateInterval": "DateInterval()",
    "ComparisonResult": ".orderedSame", "HKWorkoutActivityType": ".curling",
]

/// Replacements for arguments, for bodies without a value to replace. `$` is the argument.
private let mutatedArguments: [String: String] = [
    "Double": "$ + 91234", "Int": "$ + 7", "Date": "$.addingTimeInterval(91234)",
    "Date?": "$?.addingTimeInterval(91234)", "String": "$ + \"X\"",
    "String?": "$.map { $0 + \"X\" }",
    "TimeInterval": "$ + 91234", "[String : Any]?": "nil as [String: Any]?",
    "[String: Any]?": "nil as [String: Any]?",
    "NSPredicate?": "NSPredicate(value: false) as NSPredicate?",
    "HKQuantity": "HKQuantity(unit: HKUnit(from: \"IU\"), doubleValue: -91234)",
    "HKQuantity?": "nil as HKQuantity?",
    "[HKSample]": "[HKSample]()", "[HKObject]": "[HKObject]()",
    "HKStatisticsOptions": "[.duration]",
    "Set<HKSampleType>": "Set<HKSampleType>()", "Set<HKObjectType>": "Set<HKObjectType>()",
]
