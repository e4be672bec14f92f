import HealthEngine
import SwiftSyntax

/// What becomes of numbers after they are read.
extension UnitScale {
    /// Reports where a number is shown beside another unit than it was read in, or a fraction is
    /// used as a percentage.
    func reviewUses(
        of call: FunctionCallExprSyntax, _ target: Target, _ report: inout Report
    ) {
        guard let expression = call.argument("for") else { return }
        if let unit = target.unit(of: expression) {
            return reviewUses(of: call, in: [], unit, target, &report)
        }
        let origins = target.origins(of: expression)
        guard origins.count == 1, case .parameter(let parameter) = target.binding(of: origins[0]),
            let function = parameter.function, !function.mentionsHundred
        else { return }
        for known in target.calls(of: function).prefix(64) {
            guard let given = known.argument(for: parameter), let unit = target.unit(of: given)
            else { continue }
            reviewUses(of: call, in: [known], unit, target, &report)
        }
    }

    private func reviewUses(
        of call: FunctionCallExprSyntax, in calls: [KnownCall], _ unit: HealthUnit,
        _ target: Target, _ report: inout Report
    ) {
        guard let percent = try? HealthUnit("%") else { return }
        let isFraction = unit == percent
        guard isFraction || Self.shown.contains(unit.description) else { return }
        for (node, use) in NumberFlow.uses(of: call, in: calls, target) {
            guard let file = target.file(of: node) else { continue }
            switch use {
            case .percentage(let verb) where isFraction:
                report.add(Self.fraction(verb), at: node, in: file)
            case .label(let text) where isFraction:
                guard text.isPercentLabel else { continue }
                report.add(Self.fraction("shows"), at: node, in: file)
            case .label(let text):
                guard let label = text.unitLabel, let other = try? HealthUnit(label),
                    other != unit, other.isCompatible(with: unit), other.factor != unit.factor
                else { continue }
                report.add(
                    "the number is read in \(unit) and shown as \(label), far too large or too "
                        + "small: read it in \(label)", at: node, in: file)
            default: continue
            }
        }
    }

    static func fraction(_ verb: String) -> String {
        "a saturation of 97 % is 0.97 here: this \(verb) a fraction as a percentage; multiply it by 100"
    }

    /// Units whose numbers are mistaken for those of a related unit.
    private static let shown: Set<String> = [
        "s", "ms", "min", "hr", "m", "cm", "km", "mi", "g", "kg", "mg", "mcg", "cal", "kcal", "kJ",
        "J", "L", "mL",
    ]

    // MARK: - Tables

    /// Reviews tables of metrics: a type's unit, beside the text that it is shown with.
    func reviewTables(_ target: Target, _ report: inout Report) {
        guard let percent = try? HealthUnit("%"), let second = try? HealthUnit("s") else { return }
        for row in target.metricRows {
            guard let unit = row.unit, let file = target.file(of: unit.place) else { continue }
            if row.type.name == "heartRateVariabilitySDNN", unit.value == second,
                !file.calculates(with: ["1000", "1_000", "1000.0"])
            {
                report.add(Self.inSeconds, at: unit.place, in: file)
            }
            guard unit.value == percent, let owner = unit.place.enclosingType else { continue }
            let isScaled =
                target.types(owner.name).contains { $0.node.mentionsHundred }
                || target.files.contains {
                    $0.uses.names.contains(owner.name) && $0.scalesByHundred
                }
            guard !isScaled else { continue }
            for text in labels(beside: unit.place, owner, target) {
                guard let file = target.file(of: text) else { continue }
                report.add(Self.fraction("shows"), at: text, in: file)
            }
        }
    }

    /// Returns the texts with a percent sign for the same case of an enum, or in the same row.
    private func labels(
        beside unit: ExprSyntax, _ owner: TypeBlock, _ target: Target
    ) -> [ExprSyntax] {
        if let row = unit.parent?.parent?.as(LabeledExprListSyntax.self) {
            return row.map(\.expression.bare).filter {
                $0.plainString?.trimmingSpaces == "%" && $0.id != unit.bare.id
            }
        }
        guard let branch = unit.enclosing(SwitchCaseSyntax.self) else { return [] }
        let names = Set(branch.caseNames)
        return target.types(owner.name).flatMap { block in
            block.node.all(SwitchCaseSyntax.self).filter {
                $0.id != branch.id && !names.isDisjoint(with: $0.caseNames)
            }.flatMap { other in
                other.statements.all(StringLiteralExprSyntax.self).filter(\.showsPercent).map {
                    ExprSyntax($0)
                }
            }
        }
    }
}

extension SourceFile {
    func calculates(with numbers: Set<String>) -> Bool {
        Syntax(tree).all(TokenSyntax.self).contains { numbers.contains($0.text) }
    }
}

extension SourceFile {
    /// Whether the file multiplies anything by 100.
    fileprivate var scalesByHundred: Bool {
        Syntax(tree).all(TokenSyntax.self).contains { token in
            guard ["100", "100.0"].contains(token.text),
                let parts = token.parent?.parent?.as(ExprListSyntax.self)
            else { return false }
            return parts.contains { $0.as(BinaryOperatorExprSyntax.self)?.operator.text == "*" }
        }
    }
}

extension SwitchCaseSyntax {
    /// The names of the cases: `oxygen` and `fat` in `case .oxygen, .fat:`.
    fileprivate var caseNames: [String] {
        guard case .case(let label) = self.label else { return [] }
        return label.caseItems.compactMap {
            $0.pattern.as(ExpressionPatternSyntax.self)?.expression.bare
                .as(MemberAccessExprSyntax.self)?.declName.baseName.text
        }
    }
}

extension StringLiteralExprSyntax {
    /// Whether it is a percent sign or a text or format that ends with one.
    fileprivate var showsPercent: Bool {
        if let text = ExprSyntax(self).plainString {
            let isFormat = parent?.as(LabeledExprSyntax.self)?.label?.text == "format"
            return text.trimmingSpaces == "%"
                || isFormat && text.formatLabels.contains(where: \.isPercentLabel)
        }
        let last = segments.last?.as(StringSegmentSyntax.self)?.content.text ?? ""
        return last.isPercentLabel
    }
}

extension String {
    fileprivate var isPercentLabel: Bool {
        let text = trimmingSpaces
        return text.hasPrefix("%") || text.hasPrefix("percent") || text.hasPrefix("per cent")
    }

    /// The unit that a text after a number begins with: `ms` for ` ms today`.
    fileprivate var unitLabel: String? {
        let word = trimmingSpaces.prefix { $0.isLetter }
        let names = [
            "ms": "ms", "msec": "ms", "milliseconds": "ms", "s": "s", "sec": "s", "secs": "s",
            "seconds": "s", "min": "min", "mins": "min", "minutes": "min", "h": "hr", "hr": "hr",
            "hrs": "hr", "hours": "hr", "km": "km", "m": "m", "meters": "m", "cm": "cm",
            "mi": "mi", "miles": "mi", "kg": "kg", "g": "g", "mg": "mg", "kcal": "kcal",
            "kJ": "kJ", "L": "L", "l": "L", "liters": "L", "ml": "mL", "mL": "mL",
        ]
        return names[String(word)]
    }
}
