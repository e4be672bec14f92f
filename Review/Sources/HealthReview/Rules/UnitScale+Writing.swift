import HealthEngine
import SwiftSyntax

/// Percentages that are saved as fractions: 97 for 0.97.
extension UnitScale {
    func reviewWriting(_ target: Target, _ report: inout Report) {
        guard let percent = try? HealthUnit("%") else { return }
        var open: [Written] = []
        for file in target.files
        where file.uses.names.contains("HKUnit") || file.uses.imports.contains("HealthKit") {
            for name in ["HKQuantity", "init"] {
                for call in file.uses.callsByName[name] ?? [] {
                    guard let unit = call.argument("unit"),
                        let value = call.argument("doubleValue")
                    else { continue }
                    if reviewLiterals(unit, value, percent, target, &report) { continue }
                    if target.unit(of: unit) == percent {
                        open.append(Written(call: call, value: value, source: nil))
                    } else if let source = target.percentSource(of: unit, percent) {
                        open.append(Written(call: call, value: value, source: source))
                    }
                }
            }
        }
        reviewScale(open, percent, target, &report)
    }

    /// A number that is saved in percent.
    private struct Written {
        let call: FunctionCallExprSyntax
        let value: ExprSyntax
        /// The table that the unit comes from; nil if it is written there.
        let source: String?
    }

    /// Reports numbers like 97 that are written in the source; returns whether there is one.
    private func reviewLiterals(
        _ unit: ExprSyntax, _ value: ExprSyntax, _ percent: HealthUnit, _ target: Target,
        _ report: inout Report
    ) -> Bool {
        if let known = target.unit(of: unit) {
            guard known == percent else { return false }
            return addWriting(ValueSearch.values(of: value, target), target, &report)
        }
        guard case .parameter(let parameter) = target.binding(of: unit),
            let function = parameter.function, !function.mentionsHundred
        else { return false }
        var isFound = false
        for known in target.calls(of: function).prefix(64) {
            guard let given = known.argument(for: parameter), target.unit(of: given) == percent
            else { continue }
            let values = ValueSearch.values(of: value, in: [known], target)
            isFound = addWriting(values, target, &report) || isFound
        }
        return isFound
    }

    private func addWriting(
        _ values: [KnownValue], _ target: Target, _ report: inout Report
    ) -> Bool {
        var isFound = false
        for value in values {
            guard let number = Double(value.expression.bare.trimmedDescription), number > 1.5,
                let file = target.file(of: value.expression)
            else { continue }
            report.add(Self.written, at: value.expression, in: file)
            isFound = true
        }
        return isFound
    }

    private static let written =
        "97 % is saved as 9,700 %: HealthKit's percent is a fraction, divide by 100"

    // MARK: - Scale

    /// Reports numbers that the code treats as 0 to 100: it reads the same values times 100, limits
    /// them, or lets a slider choose them.
    private func reviewScale(
        _ written: [Written], _ percent: HealthUnit, _ target: Target, _ report: inout Report
    ) {
        guard !written.isEmpty else { return }
        var reads: [ScaledRead]?
        for one in written where Double(one.value.bare.trimmedDescription) == nil {
            guard let file = target.file(of: one.call) else { continue }
            let scale = PercentScale(of: one.value, target)
            if scale.mayBeFraction { continue }
            if one.source == nil, scale.isPercentage {
                report.add(Self.written, at: one.value, in: file)
                continue
            }
            if reads == nil { reads = target.scaledReads(of: percent) }
            let types = one.call.writtenTypes(target)
            let isRead = (reads ?? []).contains { read in
                if let source = one.source { return read.source == source }
                if read.types.isEmpty || types.isEmpty {
                    return read.owner == one.call.enclosingTypeName
                }
                return read.types.contains(where: types.contains)
            }
            if isRead { report.add(Self.written, at: one.value, in: file) }
        }
    }
}

/// A number that is read in percent and multiplied by 100.
private struct ScaledRead {
    let source: String?
    let types: [SampleType]
    /// The type around.
    let owner: String?
}

extension Target {
    /// Returns the table that a unit comes from, if it has a row in percent: the enum's name for
    /// `kind.unit`, the function's for `unit(for: type)`.
    fileprivate func percentSource(of unit: ExprSyntax, _ percent: HealthUnit) -> String? {
        let bare = unit.bare
        let source: String?
        if let member = bare.as(MemberAccessExprSyntax.self), let base = member.base {
            source = typeName(of: base)
        } else if let call = bare.as(FunctionCallExprSyntax.self) {
            source = call.calledName
        } else {
            guard case .variable(let binding, let declaration) = self.binding(of: bare),
                declaration.memberOf == nil, let value = binding.initializer?.value.bare,
                value.id != bare.id, !value.is(DeclReferenceExprSyntax.self)
            else { return nil }
            return percentSource(of: value, percent)
        }
        guard let source else { return nil }
        let isTable = metricRows.contains { row in
            guard let unit = row.unit, unit.value == percent else { return false }
            return unit.place.enclosingTypeName == source
                || unit.place.enclosing(FunctionDeclSyntax.self)?.name.text == source
        }
        return isTable ? source : nil
    }

    fileprivate func scaledReads(of percent: HealthUnit) -> [ScaledRead] {
        files.flatMap { file in
            (file.uses.callsByName["doubleValue"] ?? []).compactMap { call -> ScaledRead? in
                guard let unit = call.argument("for"), call.isMultipliedByHundred else {
                    return nil
                }
                if self.unit(of: unit) == percent {
                    let types = call.base.map { sampleOrigins(of: $0).flatMap(\.types.known) }
                    return ScaledRead(
                        source: nil, types: types ?? [], owner: call.enclosingTypeName)
                }
                return percentSource(of: unit, percent).map {
                    ScaledRead(source: $0, types: [], owner: nil)
                }
            }
        }
    }
}

extension FunctionCallExprSyntax {
    /// The types of the sample that a quantity is made for, where it is written inside.
    fileprivate func writtenTypes(_ target: Target) -> [SampleType] {
        guard let outer = enclosing(FunctionCallExprSyntax.self),
            let type = outer.argument("type")
        else { return [] }
        return target.sampleTypes(of: type).known
    }

    /// Whether the number that is read is multiplied by 100 in the same expression, or by its name.
    fileprivate var isMultipliedByHundred: Bool {
        let function = enclosingFunction
        guard function.mentionsHundred, !function.dividesByHundred else { return false }
        var node = Syntax(self)
        while let outer = node.parent, !outer.is(CodeBlockItemSyntax.self),
            !outer.is(ClosureExprSyntax.self)
        {
            if outer.is(SequenceExprSyntax.self), outer.multipliesByHundred { return true }
            if let name = outer.as(PatternBindingSyntax.self)?.boundName
                ?? outer.as(OptionalBindingConditionSyntax.self)?.pattern
                .as(IdentifierPatternSyntax.self)?.identifier.text
            {
                return function.references(to: name).contains { $0.isFactorOfHundred }
            }
            node = outer
        }
        return false
    }
}

extension Syntax {
    /// Whether the name stands beside `* 100` or before `*= 100`.
    fileprivate var isFactorOfHundred: Bool {
        guard let parts = parent?.as(ExprListSyntax.self).map(Array.init),
            let place = parts.firstIndex(where: { Syntax($0).id == id })
        else { return false }
        return [(place + 1, place + 2), (place - 1, place - 2)].contains { sign, other in
            guard parts.indices.contains(sign), parts.indices.contains(other) else { return false }
            let text = parts[sign].as(BinaryOperatorExprSyntax.self)?.operator.text
            return (text == "*" || text == "*=")
                && ["100", "100.0"].contains(parts[other].trimmedDescription)
        }
    }
}
