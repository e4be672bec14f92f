import SwiftSyntax

/// Reports the small calorie as a unit of energy, which is a thousandth of what people mean.
struct SmallCalorie: Rule {
    let name = "small-calorie"
    let summary = "energy in small calories, a thousandth of what people call a calorie"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        let readsTexts = readsUnitTexts(target)
        for file in target.files {
            if readsTexts {
                for text in file.uses.strings where isUnitText(text, target) {
                    review(ExprSyntax(text), file, &report)
                }
            }
            guard file.uses.names.contains("HKUnit") || file.importsHealthKit else { continue }
            for name in ["calorie", "smallCalorie"] where target.functions(name).isEmpty {
                for call in file.uses.callsByName[name] ?? []
                where call.arguments.isEmpty && isUnit(call) {
                    review(ExprSyntax(call), file, &report)
                }
            }
            let made = ["HKUnit", "init"].flatMap { file.uses.callsByName[$0] ?? [] }
            for call in made
            where (call.constructedName ?? call.impliedName ?? "HKUnit") == "HKUnit" {
                guard let text = call.argument("from") else { continue }
                for origin in target.origins(of: text) where origin.plainString == "cal" {
                    guard let place = target.file(of: origin) else { continue }
                    review(origin, place, &report)
                }
            }
        }
    }

    /// Returns whether a call makes a unit: `.calorie()`, `HKUnit.calorie()`.
    private func isUnit(_ call: FunctionCallExprSyntax) -> Bool {
        guard let member = call.calledExpression.bare.as(MemberAccessExprSyntax.self) else {
            return false
        }
        return member.base == nil || member.base?.bare.lastName == "HKUnit"
    }

    private func review(
        _ expression: ExprSyntax, _ file: SourceFile, _ report: inout Report
    ) {
        guard !isCompared(expression), !isConverted(expression), !isOneOfSeveral(expression) else {
            return
        }
        report.add(
            "energy comes out a thousand times too large, or is saved a thousand times too small: "
                + "use `.kilocalorie()`, which people call a calorie", at: expression, in: file)
    }
}

// MARK: - Units in tables of texts

extension SmallCalorie {
    /// Returns whether the target makes units of texts that it keeps elsewhere.
    private func readsUnitTexts(_ target: Target) -> Bool {
        (target.index.calls["HKUnit"] ?? []).contains { call in
            call.argument("from").map { $0.plainString == nil } ?? false
        }
    }

    /// Returns whether a text is the unit of a type in a table: `["energy": "cal"]`,
    /// `Entry(unit: "cal")`, or the result of `case .energy` in a property of units.
    private func isUnitText(_ text: StringLiteralExprSyntax, _ target: Target) -> Bool {
        guard ExprSyntax(text).plainString == "cal" else { return false }
        if let element = text.parent?.as(DictionaryElementSyntax.self) {
            let units = Syntax(element).siblings.all(StringLiteralExprSyntax.self).filter {
                Self.unitTexts.contains(ExprSyntax($0).plainString ?? "")
            }
            return element.value.id == ExprSyntax(text).id && !units.isEmpty
        }
        if let argument = text.parent?.as(LabeledExprSyntax.self) {
            guard argument.label?.text.lowercased().contains("unit") == true,
                let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
            else { return false }
            return call.arguments.all(MemberAccessExprSyntax.self).contains { member in
                SmallCalorie.energyTypes.contains(member.declName.baseName.text)
            }
        }
        guard let branch = text.enclosing(SwitchCaseSyntax.self) else { return false }
        let name =
            branch.enclosing(FunctionDeclSyntax.self)?.name.text
            ?? branch.enclosing(PatternBindingSyntax.self)?.boundName ?? ""
        let words = name.lowercased()
        return words.contains("unit")
            && !["label", "symbol", "title", "display", "abbreviation", "name"].contains {
                words.contains($0)
            }
    }

    private static let energyTypes: Set<String> = [
        "activeEnergyBurned", "basalEnergyBurned", "dietaryEnergyConsumed",
    ]
    private static let unitTexts: Set<String> = [
        "count", "m", "km", "kg", "cm", "count/min", "mg/dL", "%", "min", "ms", "mmHg", "degC",
        "mi", "lb", "g", "mL", "L",
    ]
}

// MARK: - Right uses

extension SmallCalorie {
    /// Returns whether a unit is only compared: `type.is(compatibleWith: .calorie())`.
    private func isCompared(_ expression: ExprSyntax) -> Bool {
        if let argument = expression.parent?.as(LabeledExprSyntax.self),
            argument.label?.text == "compatibleWith"
        {
            return true
        }
        if expression.enclosing(SwitchCaseItemSyntax.self) != nil { return true }
        guard let list = expression.parent?.as(ExprListSyntax.self) else { return false }
        return list.contains { element in
            ["==", "!=", "~="].contains(
                element.as(BinaryOperatorExprSyntax.self)?.operator.text ?? "")
        }
    }

    /// Returns whether the value is divided or multiplied by a thousand: in its statement, or where
    /// the variable that keeps it is used.
    private func isConverted(_ expression: ExprSyntax) -> Bool {
        guard let item = expression.enclosing(CodeBlockItemSyntax.self),
            let statement = item.shortText
        else { return false }
        if statement.count < 400, statement.hasThousand { return true }
        guard
            let binding = expression.enclosing(PatternBindingSyntax.self)?.boundName
                ?? expression.enclosing(OptionalBindingConditionSyntax.self)?.pattern
                .as(IdentifierPatternSyntax.self)?.identifier.text
        else { return false }
        return expression.enclosingFunction.references(to: binding).contains { reference in
            let used = reference.parent?.enclosing(CodeBlockItemSyntax.self)?.shortText
            return used.map { $0.count < 400 && $0.hasThousand } ?? false
        }
    }

    /// Returns whether the unit stands in a table of units by name, beside the kilocalorie:
    /// `case "cal": .smallCalorie()`.
    private func isOneOfSeveral(_ expression: ExprSyntax) -> Bool {
        var key: String?
        var table: Syntax?
        if let element = expression.enclosing(DictionaryElementSyntax.self) {
            key = element.key.shortText
            table = Syntax(element).siblings
        } else if let branch = expression.enclosing(SwitchCaseSyntax.self) {
            key = branch.label.shortText
            table = Syntax(branch).siblings
        } else if let item = expression.enclosing(CodeBlockItemSyntax.self),
            let sequence = item.item.as(SequenceExprSyntax.self)
        {
            key =
                Assignment(sequence)?.target.bare.as(SubscriptCallExprSyntax.self)?.arguments
                .shortText
            table = Syntax(item).siblings
        } else if let item = expression.enclosing(CodeBlockItemSyntax.self),
            item.parent?.parent?.parent?.is(IfExprSyntax.self) == true
        {
            key = item.parent?.parent?.parent?.as(IfExprSyntax.self)?.conditions.shortText
            table = item.parent?.parent?.parent
        }
        guard let key = key?.lowercased(), let table else { return false }
        let words = key.split { !$0.isLetter }.map(String.init)
        let isNamed =
            words.contains { ["cal", "calorie", "calories", "smallcalorie"].contains($0) }
            && Self.energyWords.isDisjoint(with: words)
        let isSmall = key.contains("small")
        return isSmall
            || isNamed
                && ["kilocalorie", "largeCalorie"].contains { table.contains($0) }
            || isNamed && table.contains("\"kcal\"")
    }
}

extension SmallCalorie {
    /// Words in keys that name a kind of energy rather than a unit.
    private static let energyWords: Set<String> = [
        "active", "basal", "burned", "consumed", "dietary", "energy", "resting", "total", "eaten",
    ]
}

extension Syntax {
    /// The list or the table that a node is an element of.
    fileprivate var siblings: Syntax { parent ?? self }
}

extension String {
    /// Whether the code converts by a thousand: `1000`, `1_000.0`, `0.001`.
    fileprivate var hasThousand: Bool {
        let code = filter { $0 != "_" && !$0.isWhitespace }
        return code.contains("1000") || code.contains("0.001") || code.contains("1e3")
    }
}
