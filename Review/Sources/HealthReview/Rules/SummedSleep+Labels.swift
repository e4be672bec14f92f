import SwiftSyntax

/// Names of sleep values that are given to the wrong samples: `value == inBed ? "InBed" : "Asleep"`
/// calls time awake sleep.
extension SummedSleep {
    func reviewLabels(
        _ file: SourceFile, _ reported: inout Set<SyntaxIdentifier>, _ target: Target,
        _ report: inout Report
    ) {
        for node in file.labelChoices {
            let function = node.enclosingFunction
            guard !reported.contains(function.id) else { continue }
            let rows = target.sleepLabels(of: node)
            guard rows.count(where: { SleepLabel($0.text) != nil }) > 1 else { continue }
            for row in rows {
                guard let label = SleepLabel(row.text), let message = label.fault(row.values),
                    !row.isRest || !function.excludes(row.values, node)
                else { continue }
                report.add(message, at: row.place, in: file)
                reported.insert(function.id)
                break
            }
        }
    }
}

/// What a name for sleep says: `"IN_BED"`, `.deep`.
private enum SleepLabel {
    case inBed, asleep, awake, core, deep, rem

    init?(_ text: String) {
        let name = text.lowercased().filter(\.isLetter)
        guard name.count < 24, !name.contains("not"), !name.contains("unspecified") else {
            return nil
        }
        if name.contains("inbed") {
            self = .inBed
        } else if name.contains("awake") || name == "wake" {
            self = .awake
        } else if name.contains("deep") {
            self = .deep
        } else if name.hasSuffix("core") || name.hasSuffix("light") || name == "lightsleep" {
            self = .core
        } else if name.hasSuffix("rem") || name == "remsleep" {
            self = .rem
        } else if name.hasSuffix("asleep") || ["sleep", "sleeping"].contains(name) {
            self = .asleep
        } else {
            return nil
        }
    }

    private var expected: Set<Int> {
        switch self {
        case .inBed: [SleepValues.inBed]
        case .asleep: SleepValues.asleep
        case .awake: [SleepValues.awake]
        case .core: [3]
        case .deep: [4]
        case .rem: [5]
        }
    }

    /// Returns what is wrong if samples with these values get the label; nil if nothing is.
    func fault(_ values: Set<Int>) -> String? {
        let asleep = values.intersection([3, 4, 5])
        switch self {
        case .asleep, .core, .deep, .rem:
            if values.contains(SleepValues.awake) {
                return "time awake is passed on as sleep: ask for "
                    + "`HKCategoryValueSleepAnalysis.allAsleepValues`"
            }
            if values.contains(SleepValues.inBed) {
                return "time in bed is passed on as sleep: ask for "
                    + "`HKCategoryValueSleepAnalysis.allAsleepValues`"
            }
            guard self != .asleep, !values.isEmpty, values != [SleepValues.unspecified] else {
                return nil
            }
            return values.isDisjoint(with: expected) ? Self.mixed : nil
        case .awake, .inBed:
            if asleep.isEmpty, values.isEmpty || !values.isDisjoint(with: expected) { return nil }
            if asleep.isEmpty, values == [SleepValues.unspecified] { return Self.mixed }
            return asleep.isEmpty
                ? Self.mixed
                : "sleep with stages, as Apple Watch records it since iOS 16, is passed on as "
                    + "time \(self == .awake ? "awake" : "in bed"): name the stages too"
        }
    }

    private static let mixed =
        "sleep is passed on under another stage's name: the values are in bed 0, asleep 1, awake 2, "
        + "core 3, deep 4, REM 5"
}

/// A name in code, and the values of the samples that get it.
private struct SleepLabelRow {
    let text: String
    let values: Set<Int>
    let place: ExprSyntax
    /// Whether the values are those that no condition names.
    let isRest: Bool
}

extension SourceFile {
    /// The expressions that choose between names.
    fileprivate var labelChoices: [ExprSyntax] {
        Syntax(tree).descendants.compactMap { node in
            switch node.as(SyntaxEnum.self) {
            case .unresolvedTernaryExpr:
                node.parent?.parent?.as(SequenceExprSyntax.self).map { ExprSyntax($0) }
            case .switchExpr(let choice): ExprSyntax(choice)
            case .ifExpr(let choice):
                choice.parent?.is(IfExprSyntax.self) == true ? nil : ExprSyntax(choice)
            case .dictionaryExpr(let table): ExprSyntax(table)
            default: nil
            }
        }
    }
}

extension Target {
    fileprivate func sleepLabels(of node: ExprSyntax) -> [SleepLabelRow] {
        switch node.as(ExprSyntaxEnum.self) {
        case .sequenceExpr(let sequence): labels(of: sequence)
        case .switchExpr(let choice): labels(of: choice)
        case .ifExpr(let choice): labels(of: choice)
        case .dictionaryExpr(let table): labels(of: table)
        default: []
        }
    }

    private func labels(of sequence: SequenceExprSyntax) -> [SleepLabelRow] {
        var parts = Array(sequence.elements)[...]
        if let place = parts.firstIndex(where: { $0.is(AssignmentExprSyntax.self) }) {
            parts = parts[(place + 1)...]
        }
        var rest = SleepValues.all
        var rows: [SleepLabelRow] = []
        while let place = parts.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }),
            let choice = parts[place].as(UnresolvedTernaryExprSyntax.self)
        {
            guard let values = comparedValues(Array(parts[..<place])),
                let text = choice.thenExpression.labelText
            else { return [] }
            rows.append(
                SleepLabelRow(
                    text: text, values: values.intersection(rest), place: choice.thenExpression,
                    isRest: false))
            rest.subtract(values)
            parts = parts[(place + 1)...]
        }
        guard parts.count == 1, let last = parts.first, let text = last.labelText else { return [] }
        return rows + [SleepLabelRow(text: text, values: rest, place: last, isRest: true)]
    }

    /// Returns the values that a comparison of sleep values lets through.
    private func comparedValues(_ parts: [ExprSyntax]) -> Set<Int>? {
        let values = sleepValues(passing: parts[...], depth: 0)
        return values == SleepValues.all ? nil : values
    }

    private func labels(of choice: SwitchExprSyntax) -> [SleepLabelRow] {
        guard let cases = sleepValues(ofCasesIn: choice) else { return [] }
        return cases.compactMap { branch, values in
            guard let label = label(of: branch.statements), let text = label.labelText else {
                return nil
            }
            var isRest = false
            if case .default = branch.label { isRest = true }
            return SleepLabelRow(text: text, values: values, place: label, isRest: isRest)
        }
    }

    private func labels(of first: IfExprSyntax) -> [SleepLabelRow] {
        var rest = SleepValues.all
        var rows: [SleepLabelRow] = []
        var next: IfExprSyntax? = first
        while let branch = next, rows.count < 10 {
            guard branch.conditions.count == 1,
                case .expression(let condition)? = branch.conditions.first?.condition,
                let values = sleepValues(passing: condition), values != SleepValues.all,
                let label = label(of: branch.body.statements), let text = label.labelText
            else { return [] }
            rows.append(
                SleepLabelRow(
                    text: text, values: values.intersection(rest), place: label, isRest: false))
            rest.subtract(values)
            next = nil
            switch branch.elseBody {
            case .ifExpr(let other): next = other
            case .codeBlock(let block):
                guard let label = self.label(of: block.statements), let text = label.labelText
                else { return [] }
                rows.append(SleepLabelRow(text: text, values: rest, place: label, isRest: true))
            case nil: break
            }
        }
        return rows
    }

    /// Reads `[0: "IN_BED", 1: "ASLEEP", 2: "AWAKE"]`.
    private func labels(of table: DictionaryExprSyntax) -> [SleepLabelRow] {
        guard case .elements(let elements) = table.content, elements.count > 2 else { return [] }
        let rows = elements.compactMap { element -> SleepLabelRow? in
            guard let value = Int(element.key.trimmedDescription), (0...5).contains(value),
                let text = element.value.labelText
            else { return nil }
            return SleepLabelRow(text: text, values: [value], place: element.value, isRest: false)
        }
        return rows.count == elements.count && rows.allSatisfy({ SleepLabel($0.text) != nil })
            ? rows : []
    }

    /// Returns the label that statements return, or assign.
    private func label(of statements: CodeBlockItemListSyntax) -> ExprSyntax? {
        guard statements.count == 1, let item = statements.first?.item else { return nil }
        let node = Syntax(item)
        if let value = node.as(ReturnStmtSyntax.self)?.expression { return value }
        let expression = node.as(ExpressionStmtSyntax.self)?.expression ?? node.as(ExprSyntax.self)
        if let assignment = expression?.as(SequenceExprSyntax.self).flatMap({ Assignment($0) }) {
            return assignment.operator == .plain ? assignment.singleValue : nil
        }
        return expression
    }
}

extension ExprSyntax {
    /// A text without interpolations, or the name of an enum's case.
    fileprivate var labelText: String? {
        if let text = bare.plainString { return text }
        guard let member = bare.as(MemberAccessExprSyntax.self),
            member.base == nil || isRootedInType,
            member.base?.bare.ownName != "HKCategoryValueSleepAnalysis"
        else { return nil }
        return member.declName.baseName.text
    }
}

extension Syntax {
    /// Whether the function, or its file, handles one of the values before the choice.
    fileprivate func excludes(_ values: Set<Int>, _ choice: ExprSyntax) -> Bool {
        let names = Set(SleepValues.named.filter { values.contains($0.value) }.keys)
        let before = all(MemberAccessExprSyntax.self).filter { !$0.isInside(choice) }
        if before.contains(where: { names.contains($0.declName.baseName.text) }) { return true }
        return root.descendants.contains { node in
            if node.as(TokenSyntax.self)?.text == "allAsleepValues" { return true }
            guard let member = node.as(MemberAccessExprSyntax.self), !member.isInside(choice),
                names.contains(member.declName.baseName.text)
            else { return false }
            return member.isSelecting
        }
    }
}

extension MemberAccessExprSyntax {
    /// Whether the value stands in a filter, a predicate or behind `!=`.
    fileprivate var isSelecting: Bool {
        var node = Syntax(self)
        for _ in 0..<12 {
            guard let outer = node.parent else { return false }
            if let call = outer.as(FunctionCallExprSyntax.self),
                ["filter", "removeAll", "predicateForCategorySamples", "predicateForSamples"]
                    .contains(call.calledName)
            {
                return true
            }
            if outer.as(ExprListSyntax.self)?.contains(where: {
                $0.as(BinaryOperatorExprSyntax.self)?.operator.text == "!="
            }) == true {
                return true
            }
            node = outer
        }
        return false
    }
}
