import HealthEngine
import SwiftSyntax

/// Reports units that HealthKit accepts and that make a number 60, 100 or 1,000 times wrong. Small
/// calories are `SmallCalorie`'s.
struct UnitScale: Rule {
    let name = "unit-scale"
    let summary = "a unit that makes values 60, 100 or 1,000 times too large or too small"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files
        where file.uses.names.contains("HKUnit") || file.uses.imports.contains("HealthKit") {
            reviewSeconds(file, &report)
            reviewTexts(target, file, &report)
            reviewVariability(target, file, &report)
            for call in file.uses.callsByName["doubleValue"] ?? [] {
                reviewUses(of: call, target, &report)
            }
        }
        reviewWriting(target, &report)
        reviewNames(target, &report)
        reviewTables(target, &report)
        reviewLabels(target, &report)
        reviewPassedLabels(target, &report)
    }

    private static let perSecond =
        "rates come out sixty times too small: use `.count().unitDivided(by: .minute())`"
    static let inSeconds =
        "the variability comes out a thousand times too small: use `.secondUnit(with: .milli)`"

    // MARK: - Rates

    private func reviewSeconds(_ file: SourceFile, _ report: inout Report) {
        for call in file.uses.callsByName["unitDivided"] ?? [] {
            guard let divisor = call.argument("by")?.bare.as(FunctionCallExprSyntax.self),
                divisor.calledName == "second", divisor.isOfUnit,
                call.base?.bare.as(FunctionCallExprSyntax.self)?.calledName == "count",
                !file.convertsRates
            else { continue }
            report.add(Self.perSecond, at: call, in: file)
        }
    }

    /// Reviews `HKUnit(from: "count/s")`.
    private func reviewTexts(_ target: Target, _ file: SourceFile, _ report: inout Report) {
        for call in file.uses.calls where call.arguments.count == 1 {
            guard let text = call.argument("from"), call.makesUnit,
                call.parent?.is(ArrayElementSyntax.self) != true
            else { continue }
            for origin in target.unitTexts(of: text) {
                guard let symbol = origin.plainString, let place = target.file(of: origin) else {
                    continue
                }
                if symbol == "count/s", !place.convertsRates {
                    report.add(Self.perSecond, at: origin, in: place)
                }
            }
        }
    }

    // MARK: - Heart rate variability

    private func reviewVariability(_ target: Target, _ file: SourceFile, _ report: inout Report) {
        guard target.mentions("heartRateVariabilitySDNN") else { return }
        let texts = (file.uses.callsByName["HKUnit"] ?? []).filter {
            ($0.argument("from") ?? $0.unlabelledArgument(0))?.plainString == "s"
        }
        let calls = (file.uses.callsByName["second"] ?? []).filter {
            $0.arguments.isEmpty && $0.isOfUnit
        }
        for call in calls + texts where !Syntax(call.enclosingFunction).convertsToThousand {
            guard isOfVariability(call, target) || isPassed(call, withVariability: target) else {
                continue
            }
            report.add(Self.inSeconds, at: call, in: file)
        }
    }

    /// Returns whether seconds are passed beside a name of the type, to a function that reads in
    /// them: `value(hrvType, unit: .second())`.
    private func isPassed(
        _ unit: FunctionCallExprSyntax, withVariability target: Target
    ) -> Bool {
        guard let argument = unit.parent?.as(LabeledExprSyntax.self),
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
            call.base == nil || target.function(calledBy: call) != nil,
            call.arguments.contains(where: { other in
                other.id != argument.id && !other.expression.is(ClosureExprSyntax.self)
                    && target.sampleTypes(of: other.expression).areAll {
                        $0.name == "heartRateVariabilitySDNN"
                    }
            })
        else { return false }
        return !target.files.contains {
            $0.calculates(with: ["1000", "1_000", "1000.0"]) && $0.namesVariability
        }
    }

    private func isOfVariability(_ unit: FunctionCallExprSyntax, _ target: Target) -> Bool {
        let name = "heartRateVariabilitySDNN"
        if let argument = unit.parent?.as(LabeledExprSyntax.self), argument.label?.text == "for",
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
            call.calledName == "doubleValue", let base = call.base
        {
            let origins = target.sampleOrigins(of: base)
            return !origins.isEmpty && origins.allSatisfy { $0.types.areAll { $0.name == name } }
        }
        var node = Syntax(unit)
        while let outer = node.parent {
            switch outer.as(SyntaxEnum.self) {
            case .switchCase(let branch): return branch.label.contains(name)
            case .functionCallExpr(let call):
                if call.arguments.contains(where: { $0.expression.isMember(name) }) { return true }
            case .tupleExpr(let tuple):
                if tuple.elements.contains(where: { $0.expression.isMember(name) }) { return true }
            case .dictionaryElement(let element): return element.key.isMember(name)
            case .codeBlock, .memberBlockItem, .closureExpr: return false
            default: break
            }
            node = outer
        }
        return false
    }
}

extension FunctionCallExprSyntax {
    /// Whether the call is `.second()` or `HKUnit.second()`, and not part of a question.
    fileprivate var isOfUnit: Bool {
        guard let member = calledExpression.as(MemberAccessExprSyntax.self),
            parent?.as(LabeledExprSyntax.self)?.label?.text != "compatibleWith"
        else { return false }
        return member.base.map { $0.bare.lastName == "HKUnit" } ?? true
    }
}

extension ExprSyntax {
    /// Whether the expression is a member with this name: `.heartRateVariabilitySDNN`.
    fileprivate func isMember(_ name: String) -> Bool {
        bare.as(MemberAccessExprSyntax.self)?.declName.baseName.text == name
    }
}

extension SourceFile {
    /// Whether a name in the file speaks of heart rate variability.
    fileprivate var namesVariability: Bool {
        uses.names.contains { name in
            let text = name.lowercased()
            return text.contains("hrv") || text.contains("variability") || text.contains("sdnn")
        }
    }

    /// Whether the file calculates with 60 and a value; `24 * 60 * 60` isn't such a calculation.
    fileprivate var convertsRates: Bool {
        Syntax(tree).all(TokenSyntax.self).contains { token in
            if ["hertz", "hertzUnit"].contains(token.text) { return true }
            guard ["60", "60.0"].contains(token.text),
                let parts = token.parent?.parent?.as(ExprListSyntax.self)
            else { return false }
            return parts.contains { part in
                part.is(MemberAccessExprSyntax.self) || part.is(DeclReferenceExprSyntax.self)
                    || part.is(FunctionCallExprSyntax.self)
            }
        }
    }
}

extension Syntax {
    fileprivate var convertsToThousand: Bool {
        all(TokenSyntax.self).contains { ["1000", "1_000", "1000.0"].contains($0.text) }
    }
}
