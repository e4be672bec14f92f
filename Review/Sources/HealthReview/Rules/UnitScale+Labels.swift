import HealthEngine
import SwiftSyntax

/// Tables that measure a metric in one unit and label it with another: `.gram()` and `"mg"`.
extension UnitScale {
    func reviewLabels(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("HKUnit") {
            guard !file.calculates(with: ["1000", "1_000", "1000.0"]) else { continue }
            for block in file.declarations.types.values.joined() where block.kind == .enum {
                add(rows(of: block, target), target, &report)
            }
            let constructions = file.uses.calls.filter { call in
                call.arguments.count > 1
                    && call.constructedName.map { !target.types($0).isEmpty } == true
            }
            let groups = Dictionary(grouping: constructions) { $0.constructedName ?? "" }
            for calls in groups.values {
                add(calls.compactMap { row($0, target) }, target, &report)
            }
        }
    }

    /// Reports calls that pass a unit with the label of another scale, to a function that reads in
    /// the unit as it comes: `rows(.bodyFatPercentage, unit: .percent(), label: "%")`.
    func reviewPassedLabels(_ target: Target, _ report: inout Report) {
        guard let percent = try? HealthUnit("%") else { return }
        for file in target.files where file.uses.imports.contains("HealthKit") {
            guard !file.scales else { continue }
            for call in file.uses.calls where call.arguments.count > 1 {
                let texts = call.arguments.filter { $0.expression.bare.plainString != nil }
                guard texts.count == 1, let text = texts.first?.expression,
                    let shown = text.bare.plainString?.trimmingSpaces,
                    let argument = call.arguments.first(where: { $0.expression.isUnit }),
                    let unit = target.unit(of: argument.expression),
                    let function = target.function(calledBy: call),
                    function.reads(inParameterFor: argument, of: call)
                else { continue }
                if unit == percent, shown == "%" {
                    report.add(Self.fraction("shows"), at: text, in: file)
                } else if let label = shown.labelledUnit, label.isCompatible(with: unit) {
                    let ratio = unit.factor / label.factor
                    guard ratio >= 10 || ratio <= 0.1 else { continue }
                    report.add(
                        "a number shown in \(label) is read in \(unit) here, far too large or too "
                            + "small: use one unit for both", at: text, in: file)
                }
            }
        }
    }

    private struct LabelRow {
        let unit: HealthUnit
        let place: ExprSyntax
        let label: HealthUnit

        /// Whether the label is the same unit; nil if it measures something else.
        var agrees: Bool? {
            guard unit.isCompatible(with: label) else { return nil }
            return unit.factor == label.factor
        }
    }

    /// Reports the rows that disagree, if most agree: elsewhere a calculation lies between.
    private func add(_ rows: [LabelRow], _ target: Target, _ report: inout Report) {
        let wrong = rows.filter { $0.agrees == false }
        let right = rows.filter { $0.agrees == true }
        guard right.count > 1, right.count > wrong.count else { return }
        for row in wrong {
            let ratio = row.unit.factor / row.label.factor
            guard ratio >= 10 || ratio <= 0.1, let file = target.file(of: row.place) else {
                continue
            }
            report.add(
                "a number shown in \(row.label) is read and saved in \(row.unit) here, far too "
                    + "large or too small: use one unit for both", at: row.place, in: file)
        }
    }

    private func rows(of block: TypeBlock, _ target: Target) -> [LabelRow] {
        let members = target.types(block.name).flatMap(\.variables).map(\.binding)
        guard !members.contains(where: { $0.declaredTypeName == "Double" }),
            let units = members.first(where: { $0.declaredTypeName == "HKUnit" })?
                .getterStatements
        else { return [] }
        let labels = members.filter {
            $0.declaredTypeName == "String" && ($0.boundName ?? "").namesUnit
        }.compactMap(\.getterStatements)
        guard let label = labels.first, labels.count == 1 else { return [] }
        let cases = block.node.memberBlock.members
            .compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
        return cases.prefix(200).compactMap { element in
            let value = CaseValue(target: target, type: block.name, name: element.name.text)
            guard let unit = value.result(of: units), let measured = target.unit(of: unit.value),
                let shown = value.result(of: label)?.value.bare.plainString?.labelledUnit
            else { return nil }
            return LabelRow(unit: measured, place: unit.place, label: shown)
        }
    }

    /// Returns the row of a construction without numbers: `Metric(unit: .gram(), symbol: "g")`.
    private func row(_ call: FunctionCallExprSyntax, _ target: Target) -> LabelRow? {
        var units: [(HealthUnit, ExprSyntax)] = []
        var labels: [HealthUnit] = []
        for argument in call.arguments {
            let bare = argument.expression.bare
            if let number = Double(bare.trimmedDescription), number != 1 { return nil }
            if bare.is(ClosureExprSyntax.self) { return nil }
            if let text = bare.plainString {
                let label = argument.label?.text ?? ""
                guard label.namesUnit, let unit = text.labelledUnit else { continue }
                labels.append(unit)
            } else if bare.is(FunctionCallExprSyntax.self), let unit = target.unit(of: bare) {
                units.append((unit, argument.expression))
            }
        }
        guard call.trailingClosure == nil, units.count == 1, labels.count == 1 else { return nil }
        return LabelRow(unit: units[0].0, place: units[0].1, label: labels[0])
    }
}

extension ExprSyntax {
    /// Whether the expression makes a unit: `.percent()`, `HKUnit(from: "g")`.
    fileprivate var isUnit: Bool {
        guard let call = bare.as(FunctionCallExprSyntax.self) else { return false }
        return call.calledExpression.bare.is(MemberAccessExprSyntax.self)
            ? call.arguments.count < 2 : call.constructedName == "HKUnit"
    }
}

extension SourceFile {
    /// Whether the file calculates with 100 or 1,000.
    fileprivate var scales: Bool {
        Syntax(tree).all(TokenSyntax.self).contains { token in
            ["1000", "1_000", "1000.0", "100", "100.0"].contains(token.text)
                && token.parent?.parent?.is(ExprListSyntax.self) == true
        }
    }
}

extension FunctionDeclSyntax {
    /// Returns whether the function reads numbers in the unit that a call passes.
    fileprivate func reads(
        inParameterFor argument: LabeledExprSyntax, of call: FunctionCallExprSyntax
    ) -> Bool {
        let known = KnownCall(function: self, call: call)
        guard let body,
            let parameter = signature.parameterClause.parameters.first(where: {
                known.argument(for: $0)?.id == argument.expression.id
            })
        else { return false }
        return body.all(FunctionCallExprSyntax.self).contains {
            $0.calledName == "doubleValue"
                && $0.argument("for")?.bare.ownName == parameter.ownName
        }
    }
}

extension String {
    /// Whether a name is of a unit's text: `displayUnit`, `symbol`.
    fileprivate var namesUnit: Bool {
        !Set(camelCaseWords).isDisjoint(with: ["unit", "units", "symbol", "suffix"])
    }

    /// The unit that a label shows: `mg`, `µg`.
    fileprivate var labelledUnit: HealthUnit? {
        switch trimmingSpaces {
        case "µg", "μg", "ug", "mcg": try? HealthUnit("mcg")
        case "ml": try? HealthUnit("mL")
        case "l": try? HealthUnit("L")
        case let text where Self.labels.contains(text): try? HealthUnit(text)
        default: nil
        }
    }

    private static let labels: Set<String> = [
        "g", "mg", "kg", "mL", "L", "m", "cm", "mm", "km", "ms", "s", "min", "kcal", "kJ", "J",
    ]
}
