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
            reviewFractions(target, file, &report)
        }
    }

    private static let perSecond =
        "rates come out sixty times too small: use `.count().unitDivided(by: .minute())`"
    private static let inSeconds =
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
        guard file.uses.names.contains("heartRateVariabilitySDNN") else { return }
        for call in file.uses.callsByName["second"] ?? []
        where call.arguments.isEmpty && call.isOfUnit && isOfVariability(call, target)
            && !Syntax(call.enclosingFunction).convertsToThousand
        {
            report.add(Self.inSeconds, at: call, in: file)
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

    // MARK: - Fractions

    private func reviewFractions(_ target: Target, _ file: SourceFile, _ report: inout Report) {
        guard file.uses.callsByName["percent"] != nil else { return }
        for call in file.uses.callsByName["doubleValue"] ?? [] {
            guard let unit = call.argument("for")?.bare.as(FunctionCallExprSyntax.self),
                unit.calledName == "percent"
            else { continue }
            for use in uses(of: call) {
                guard let (node, what) = use.percentage else { continue }
                report.add(
                    "a saturation of 97 % is 0.97 here: this \(what) a fraction as a percentage; multiply it by 100",
                    at: node, in: file)
            }
        }
    }

    /// Returns the call and the uses of the local name that holds its value.
    private func uses(of call: FunctionCallExprSyntax) -> [Syntax] {
        var node = Syntax(call)
        while let outer = node.parent {
            if let clause = outer.as(InitializerClauseSyntax.self) {
                guard !clause.value.mentionsHundred else { return [] }
                let name =
                    clause.parent?.as(PatternBindingSyntax.self)?.boundName
                    ?? clause.parent?.as(OptionalBindingConditionSyntax.self)?.pattern
                    .as(IdentifierPatternSyntax.self)?.identifier.text
                guard let name else { return [] }
                return call.enclosingFunction.references(to: name)
            }
            if outer.is(CodeBlockItemSyntax.self) || outer.is(ClosureExprSyntax.self) { break }
            node = outer
        }
        return [Syntax(call)]
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

extension SyntaxProtocol {
    /// Whether 100 occurs inside.
    fileprivate var mentionsHundred: Bool {
        Syntax(self).all(TokenSyntax.self).contains {
            ["100", "100.0", "1e2"].contains($0.text)
        }
    }
}

extension ExprSyntax {
    /// Whether the expression is a member with this name: `.heartRateVariabilitySDNN`.
    fileprivate func isMember(_ name: String) -> Bool {
        bare.as(MemberAccessExprSyntax.self)?.declName.baseName.text == name
    }
}

extension SourceFile {
    /// Whether the file multiplies anything by 60.
    fileprivate var convertsRates: Bool {
        Syntax(tree).all(TokenSyntax.self).contains {
            ["60", "60.0", "hertz", "hertzUnit"].contains($0.text)
        }
    }
}

extension Syntax {
    fileprivate var convertsToThousand: Bool {
        all(TokenSyntax.self).contains { ["1000", "1_000", "1000.0"].contains($0.text) }
    }

    /// The place where a fraction is compared with or shown as a percentage.
    fileprivate var percentage: (node: Syntax, what: String)? {
        var node = self
        while let outer = node.parent {
            switch outer.as(SyntaxEnum.self) {
            case .exprList(let list):
                let elements = Array(list)
                guard !list.mentionsHundred,
                    let place = elements.firstIndex(where: { Syntax($0).id == node.id })
                else { return nil }
                if elements.comparesWithPercentage(place) { return (outer, "compares") }
                if elements.count > 1, !elements.hasOnly("??") { return nil }
            case .expressionSegment(let segment):
                return segment.isBeforePercentSign ? (self, "shows") : nil
            case .functionCallExpr(let call):
                let format = call.argument("format")?.shortText ?? ""
                let isText = call.calledName == "String" && format.contains("%%")
                return isText && !call.mentionsHundred ? (Syntax(call), "shows") : nil
            case .codeBlockItem, .closureExpr, .subscriptCallExpr, .memberAccessExpr: return nil
            default: break
            }
            node = outer
        }
        return nil
    }
}

extension [ExprSyntax] {
    /// Returns whether the element at a place is compared with a number above 1.5.
    fileprivate func comparesWithPercentage(_ place: Int) -> Bool {
        [(place - 1, place - 2), (place + 1, place + 2)].contains { sign, other in
            guard indices.contains(sign), indices.contains(other),
                ["<", ">", "<=", ">=", "=="].contains(
                    self[sign].as(BinaryOperatorExprSyntax.self)?.operator.text),
                let number = Double(self[other].trimmedDescription)
            else { return false }
            return number > 1.5
        }
    }

    fileprivate func hasOnly(_ name: String) -> Bool {
        allSatisfy { element in
            element.as(BinaryOperatorExprSyntax.self).map { $0.operator.text == name } ?? true
        }
    }
}

extension ExpressionSegmentSyntax {
    /// Whether the text after `\(value)` begins with a percent sign.
    fileprivate var isBeforePercentSign: Bool {
        guard expressions.count == 1,
            let segments = parent?.as(StringLiteralSegmentListSyntax.self)
        else { return false }
        let list = Array(segments)
        guard let place = list.firstIndex(where: { Syntax($0).id == Syntax(self).id }),
            list.indices.contains(place + 1),
            case .stringSegment(let next) = list[place + 1]
        else { return false }
        return next.content.text.drop { $0 == " " }.first == "%"
    }
}
