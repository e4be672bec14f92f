import HealthEngine
import SwiftSyntax

/// Numbers whose names say another unit than the one they are saved or read in:
/// `HKQuantity(unit: .liter(), doubleValue: milliliters)`.
extension UnitScale {
    func reviewNames(_ target: Target, _ report: inout Report) {
        for file in target.files
        where file.uses.names.contains("HKUnit") || file.uses.imports.contains("HealthKit") {
            for name in ["HKQuantity", "init"] {
                for call in file.uses.callsByName[name] ?? [] {
                    guard let unit = call.argument("unit"),
                        let value = call.argument("doubleValue"), let known = target.unit(of: unit),
                        let said = Self.saidUnit(of: value, savedIn: known, target)
                    else { continue }
                    report.add(
                        "a number in \(said) is saved as \(known) here, far too large or too small: "
                            + "use one unit for both", at: value, in: file)
                }
            }
            for call in file.uses.callsByName["doubleValue"] ?? [] {
                guard let unit = call.argument("for"), let place = call.givenName,
                    let known = target.unit(of: unit),
                    let said = place.saidUnits.first(where: { $0.isOther(than: known) }),
                    place.saidUnits.count == 1
                else { continue }
                let line = file.location(of: unit).line
                // Where it is shown beside another label, that is reported.
                guard
                    !report.findings.contains(where: {
                        $0.path == file.path && (line...line + 4).contains($0.line)
                    })
                else { continue }
                report.add(
                    "a number that is named in \(said) is read in \(known) here, far too large or "
                        + "too small: use one unit for both", at: unit, in: file)
            }
        }
    }

    /// Returns the unit that the names of a number say, if all that name one agree on another than
    /// it is saved in.
    private static func saidUnit(
        of value: ExprSyntax, savedIn unit: HealthUnit, _ target: Target
    ) -> HealthUnit? {
        guard value.bare.as(SequenceExprSyntax.self) == nil else { return nil }
        let number = PercentScale(of: value, target)
        let said = number.names.flatMap(\.saidUnits)
        guard let first = said.first, said.allSatisfy({ $0.factor == first.factor }),
            first.isOther(than: unit)
        else { return nil }
        return first
    }
}

extension HealthUnit {
    /// Whether both measure the same, in another scale.
    fileprivate func isOther(than unit: HealthUnit) -> Bool {
        guard isCompatible(with: unit) else { return false }
        let ratio = factor / unit.factor
        return ratio >= 1.5 || ratio <= 0.67
    }
}

extension FunctionCallExprSyntax {
    /// The name or label that a number which is read gets as it comes: `milligrams` in
    /// `let milligrams = sample.quantity.doubleValue(for: .gram())`.
    fileprivate var givenName: String? {
        var node = Syntax(self)
        while let outer = node.parent {
            switch outer.as(SyntaxEnum.self) {
            case .optionalChainingExpr, .tryExpr, .initializerClause: break
            case .exprList(let list):
                // Only a default value beside it.
                guard let sequence = list.parent?.as(SequenceExprSyntax.self) else { return nil }
                if let assignment = Assignment(sequence) {
                    let parts = Array(list)
                    let hasDefault =
                        parts.count == 5 && Syntax(parts[2]) == node
                        && parts[3].as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
                    guard assignment.operator == .plain, parts.count == 3 || hasDefault else {
                        return nil
                    }
                    return assignment.target.lastName
                }
                guard list.count == 3, list.first.map({ Syntax($0) }) == node,
                    list.dropFirst().first?.as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
                else { return nil }
            case .sequenceExpr: break
            case .patternBinding(let binding): return binding.boundName
            case .labeledExpr(let argument):
                guard let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
                    call.constructedName != nil
                else { return nil }
                return argument.label?.text
            default: return nil
            }
            node = outer
        }
        return nil
    }
}

extension String {
    /// The units that a name says: mL for `milliliters` and `volumeMl`; none for rates such as
    /// `mgPerDl`.
    fileprivate var saidUnits: [HealthUnit] {
        let words = camelCaseWords
        guard !words.contains(where: { Self.ofCalculations.contains($0) }) else { return [] }
        return words.compactMap { Self.unitWords[$0] }.compactMap { try? HealthUnit($0) }
    }

    private static let ofCalculations: Set<String> = ["per", "to", "from", "factor", "divided"]

    private static let unitWords = [
        "milliliters": "mL", "millilitres": "mL", "milliliter": "mL", "millilitre": "mL",
        "ml": "mL", "liters": "L", "litres": "L", "liter": "L", "litre": "L",
        "micrograms": "mcg", "mcg": "mcg", "milligrams": "mg", "milligram": "mg", "mg": "mg",
        "grams": "g", "gram": "g", "kilograms": "kg", "kilogram": "kg", "kilos": "kg", "kg": "kg",
        "kgs": "kg", "pounds": "lb", "lbs": "lb", "millimeters": "mm", "millimetres": "mm",
        "centimeters": "cm", "centimetres": "cm", "centimeter": "cm", "cm": "cm", "meters": "m",
        "metres": "m", "kilometers": "km", "kilometres": "km", "km": "km", "kms": "km",
        "miles": "mi", "inches": "in", "milliseconds": "ms", "millis": "ms", "ms": "ms",
        "seconds": "s", "secs": "s", "minutes": "min", "mins": "min", "hours": "hr",
        "kilojoules": "kJ", "kj": "kJ", "kilocalories": "kcal", "kcal": "kcal",
    ]
}
