import SwiftSyntax

/// The raw values of sleep samples: in bed 0, asleep without a stage 1, awake 2, and the stages
/// 3, 4 and 5, which are written since iOS 16.
enum SleepValues {
    static let all: Set<Int> = [0, 1, 2, 3, 4, 5]
    static let asleep: Set<Int> = [1, 3, 4, 5]
    static let inBed = 0
    static let unspecified = 1
    static let awake = 2

    static let named = [
        "inBed": 0, "asleep": 1, "asleepUnspecified": 1, "awake": 2, "asleepCore": 3,
        "asleepDeep": 4, "asleepREM": 5,
    ]

    /// The names that only code for stages uses.
    static let ofStages: Set<String> = [
        "asleepCore", "asleepDeep", "asleepREM", "allAsleepValues",
    ]
}

extension Target {
    /// Returns the values of sleep samples that pass a condition; nil if it can't be determined.
    /// Conditions about something else pass all.
    func sleepValues(passing condition: ExprSyntax, depth: Int = 0) -> Set<Int>? {
        guard depth < 8 else { return nil }
        let bare = condition.bare
        if let sequence = bare.as(SequenceExprSyntax.self) {
            return sleepValues(passing: Array(sequence.elements)[...], depth: depth + 1)
        }
        if let not = bare.as(PrefixOperatorExprSyntax.self), not.operator.text == "!" {
            return sleepValues(passing: not.expression, depth: depth + 1)
                .map { isAboutSleepValue(not.expression) ? SleepValues.all.subtracting($0) : $0 }
        }
        if let literal = bare.as(BooleanLiteralExprSyntax.self) {
            return literal.literal.tokenKind == .keyword(.true) ? SleepValues.all : []
        }
        if let call = bare.as(FunctionCallExprSyntax.self) {
            return sleepValues(passing: call, depth: depth + 1)
        }
        return sleepValues(passingMember: bare, depth: depth + 1)
    }

    func sleepValues(passing elements: ArraySlice<ExprSyntax>, depth: Int) -> Set<Int>? {
        if elements.count == 1, let only = elements.first {
            return sleepValues(passing: only, depth: depth)
        }
        let choices = elements.split(by: "||")
        if choices.count > 1 {
            var passing: Set<Int> = []
            for choice in choices {
                guard let values = sleepValues(passing: choice, depth: depth) else { return nil }
                passing.formUnion(values)
            }
            return passing
        }
        let conditions = elements.split(by: "&&")
        if conditions.count > 1 {
            var passing = SleepValues.all
            for condition in conditions {
                guard let values = sleepValues(passing: condition, depth: depth) else { return nil }
                passing.formIntersection(values)
            }
            return passing
        }
        return sleepValues(passingComparison: Array(elements))
    }

    private func sleepValues(passingComparison elements: [ExprSyntax]) -> Set<Int>? {
        guard elements.count == 3,
            let sign = elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text
        else { return elements.contains(where: isAboutSleepValue) ? nil : SleepValues.all }
        for (subject, constant) in [(elements[0], elements[2]), (elements[2], elements[0])] {
            guard let value = sleepValue(constant, comparedWith: subject) else { continue }
            switch sign {
            case "==": return [value]
            case "!=": return SleepValues.all.subtracting([value])
            default: return nil
            }
        }
        return elements.contains(where: isAboutSleepValue) ? nil : SleepValues.all
    }

    private func sleepValues(passing call: FunctionCallExprSyntax, depth: Int) -> Set<Int>? {
        if call.calledName == "contains", let list = call.base {
            if let values = sleepValues(in: list) { return values }
            return isAboutSleepValue(ExprSyntax(call)) ? nil : SleepValues.all
        }
        if let function = function(calledBy: call), let body = function.body {
            return sleepValues(passingBody: body.statements, depth: depth)
        }
        return isAboutSleepValue(ExprSyntax(call)) ? nil : SleepValues.all
    }

    /// `sample.isAsleep`, where the target declares such a member, and local constants.
    private func sleepValues(passingMember expression: ExprSyntax, depth: Int) -> Set<Int>? {
        if let member = expression.as(MemberAccessExprSyntax.self), member.base != nil {
            let declared = index.computed[member.declName.baseName.text] ?? []
            if declared.count == 1, let statements = declared[0].getterStatements {
                return sleepValues(passingBody: statements, depth: depth)
            }
        } else if expression.is(DeclReferenceExprSyntax.self) {
            let origins = origins(of: expression, calls: .notFollowed)
            if origins.count == 1, origins[0].id != expression.id {
                return sleepValues(passing: origins[0], depth: depth)
            }
        }
        return isAboutSleepValue(expression) ? nil : SleepValues.all
    }

    /// Returns the values for which a function or getter returns true.
    private func sleepValues(
        passingBody statements: CodeBlockItemListSyntax, depth: Int
    ) -> Set<Int>? {
        if statements.count == 1, let item = statements.first?.item,
            let choice = Syntax(item).asSwitch
        {
            var passing: Set<Int> = []
            guard let cases = sleepValues(ofCasesIn: choice) else { return nil }
            for (branch, values) in cases {
                let results = results(of: branch.statements)
                guard results.count == 1,
                    let isTrue = results[0].bare.as(BooleanLiteralExprSyntax.self)
                else { return nil }
                if isTrue.literal.tokenKind == .keyword(.true) { passing.formUnion(values) }
            }
            return passing
        }
        let results = results(of: statements)
        guard statements.count == 1, results.count == 1, isAboutSleepValue(results[0]) else {
            return nil
        }
        return sleepValues(passing: results[0], depth: depth)
    }

    /// Returns the values that each case of a switch takes; nil if a pattern can't be determined.
    func sleepValues(
        ofCasesIn choice: SwitchExprSyntax
    ) -> [(branch: SwitchCaseSyntax, values: Set<Int>)]? {
        guard isSleepValue(choice.subject) || isRawSleepValue(choice.subject) else { return nil }
        var remaining = SleepValues.all
        var cases: [(SwitchCaseSyntax, Set<Int>)] = []
        for element in choice.cases {
            guard let branch = element.as(SwitchCaseSyntax.self) else { return nil }
            guard case .case(let label) = branch.label else {
                cases.append((branch, remaining))
                continue
            }
            var values: Set<Int> = []
            for item in label.caseItems {
                guard let own = sleepValues(matching: item.pattern, choice.subject) else {
                    return nil
                }
                values.formUnion(own)
            }
            cases.append((branch, values.intersection(remaining)))
            remaining.subtract(values)
        }
        return cases
    }

    private func sleepValues(
        matching pattern: PatternSyntax, _ subject: ExprSyntax
    ) -> Set<Int>? {
        guard let expression = pattern.as(ExpressionPatternSyntax.self)?.expression.bare else {
            return nil
        }
        if expression.is(NilLiteralExprSyntax.self) { return [] }
        if let call = expression.as(FunctionCallExprSyntax.self), call.calledName == "some",
            let inner = call.unlabelledArgument(0)
        {
            return sleepValue(inner, comparedWith: subject).map { [$0] }
        }
        return sleepValue(expression, comparedWith: subject).map { [$0] }
    }
}

extension Target {
    /// Returns the value that a constant names where it is compared with a sample's value.
    private func sleepValue(_ constant: ExprSyntax, comparedWith subject: ExprSyntax) -> Int? {
        if let literal = constant.bare.as(IntegerLiteralExprSyntax.self) {
            return isRawSleepValue(subject) ? Int(literal.literal.text) : nil
        }
        guard let (value, isExplicit) = namedSleepValue(constant) else { return nil }
        return isExplicit || isSleepValue(subject) ? value : nil
    }

    /// `HKCategoryValueSleepAnalysis.asleepCore`, with or without `.rawValue`, or `.asleepCore`.
    private func namedSleepValue(_ expression: ExprSyntax) -> (value: Int, isExplicit: Bool)? {
        let origins = origins(of: expression)
        guard origins.count == 1, var member = origins[0].as(MemberAccessExprSyntax.self) else {
            return nil
        }
        if member.declName.baseName.text == "rawValue",
            let inner = member.base?.bare.as(MemberAccessExprSyntax.self)
        {
            member = inner
        }
        guard let value = SleepValues.named[member.declName.baseName.text] else { return nil }
        guard let base = member.base else { return (value, false) }
        return base.bare.ownName == "HKCategoryValueSleepAnalysis" ? (value, true) : nil
    }

    /// The values in `[.asleepCore, .asleepDeep]`, and `allAsleepValues`, also as raw values.
    func sleepValues(in list: ExprSyntax) -> Set<Int>? {
        let origins = origins(of: list)
        guard origins.count == 1 else { return nil }
        if let member = origins[0].as(MemberAccessExprSyntax.self) {
            return member.declName.baseName.text == "allAsleepValues" ? SleepValues.asleep : nil
        }
        if let call = origins[0].as(FunctionCallExprSyntax.self) {
            switch call.calledName {
            case "map", "compactMap": return call.base.flatMap { sleepValues(in: $0) }
            case "Set", "Array":
                return call.unlabelledArgument(0).flatMap { sleepValues(in: $0) }
            default: return nil
            }
        }
        guard let array = origins[0].as(ArrayExprSyntax.self), !array.elements.isEmpty else {
            return nil
        }
        var values: Set<Int> = []
        for element in array.elements {
            let literal = element.expression.bare.as(IntegerLiteralExprSyntax.self)
                .flatMap { Int($0.literal.text) }
            guard let value = literal ?? namedSleepValue(element.expression)?.value else {
                return nil
            }
            values.insert(value)
        }
        return values
    }

    /// Returns whether an expression is a value of `HKCategoryValueSleepAnalysis`.
    private func isSleepValue(_ expression: ExprSyntax) -> Bool {
        let name = "HKCategoryValueSleepAnalysis"
        let origins = origins(of: expression, calls: .notFollowed)
        return !origins.isEmpty
            && origins.allSatisfy { origin in
                if let call = origin.as(FunctionCallExprSyntax.self) {
                    return call.constructedName == name
                }
                if origin.isOwn { return origin.enclosingTypeName == name }
                guard let own = origin.as(DeclReferenceExprSyntax.self) else { return false }
                switch binding(own.baseName.text, at: own) {
                case .parameter(let parameter): return parameter.type.baseName == name
                case .variable(let binding, _): return binding.declaredTypeName == name
                default: return false
                }
            }
    }

    /// Returns whether an expression is `sample.value`, under any name.
    private func isRawSleepValue(_ expression: ExprSyntax) -> Bool {
        let origins = origins(of: expression, calls: .notFollowed)
        return !origins.isEmpty
            && origins.allSatisfy { origin in
                if let member = origin.as(MemberAccessExprSyntax.self) {
                    return member.declName.baseName.text == "value"
                        || member.declName.baseName.text == "rawValue"
                            && (member.base.map { isSleepValue($0) } ?? false)
                }
                return origin.ownName == "value"
            }
    }

    /// Returns whether a condition may depend on the sample's value or stage.
    private func isAboutSleepValue(_ expression: ExprSyntax) -> Bool {
        Syntax(expression).descendants.contains { node in
            guard let token = node.as(TokenSyntax.self) else { return false }
            let text = token.text.lowercased()
            return ["value", "sleep", "stage", "bed", "awake", "kind", "phase"]
                .contains { text.contains($0) }
        }
    }
}

extension ArraySlice<ExprSyntax> {
    /// The operands of an operator.
    fileprivate func split(by name: String) -> [ArraySlice<ExprSyntax>] {
        split { $0.as(BinaryOperatorExprSyntax.self)?.operator.text == name }
    }
}

extension Syntax {
    /// A switch, alone or as a statement.
    var asSwitch: SwitchExprSyntax? {
        self.as(SwitchExprSyntax.self)
            ?? self.as(ExpressionStmtSyntax.self)?.expression.as(SwitchExprSyntax.self)
    }
}
