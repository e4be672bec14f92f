import HealthEngine
import SwiftSyntax

/// Reports units that can't measure the type: steps in metres, a heart rate in counts.
struct UnitMismatch: Rule {
    let name = "unit-mismatch"
    let summary = "a unit that can't measure the type, which ends the app"
    let severity = Severity.error

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files {
            for call in file.uses.callsByName["doubleValue"] ?? [] {
                reviewReading(call, target, &report)
            }
            for name in ["HKQuantitySample", "HKCumulativeQuantitySample", "init"] {
                for call in file.uses.callsByName[name] ?? [] {
                    reviewWriting(call, target, &report)
                }
            }
            if file.uses.names.contains("predicateForQuantitySamples") {
                for query in file.queries { reviewPredicates(query, target, &report) }
            }
        }
        var seen: Set<SyntaxIdentifier> = []
        for row in target.metricRows {
            guard let unit = row.unit, row.type.isCompatible(with: unit.value) == false,
                seen.insert(unit.place.id).inserted
            else { continue }
            var types = PossibleTypes()
            types.add(row.type)
            add(unit.value, unit.place, types, target, &report, severity: .warning)
        }
    }

    private func reviewReading(
        _ call: FunctionCallExprSyntax, _ target: Target, _ report: inout Report
    ) {
        guard let expression = call.argument("for"), let base = call.base, !asksFirst(call) else {
            return
        }
        guard let unit = target.unit(of: expression) else {
            reviewCallers(expression, base, target, &report)
            return
        }
        if let (owner, symbol) = knownUnit(of: base, target) {
            addTotal(owner, symbol, unit, expression, target, &report)
            return
        }
        let origins = target.sampleOrigins(of: base)
        var types = PossibleTypes()
        for origin in origins { types.add(origin.types) }
        if origins.isEmpty { return }
        add(unit, expression, types, target, &report)
    }

    /// Reviews each caller's unit and type, where the unit is a parameter.
    private func reviewCallers(
        _ expression: ExprSyntax, _ base: ExprSyntax, _ target: Target, _ report: inout Report
    ) {
        let origins = target.origins(of: expression)
        guard origins.count == 1, let name = origins[0].ownName,
            case .parameter(let parameter) = target.binding(name, at: origins[0]),
            let function = parameter.function
        else { return }
        for caller in target.calls(of: function) {
            guard let given = caller.argument(for: parameter), let unit = target.unit(of: given)
            else {
                continue
            }
            var types = PossibleTypes()
            let origins = target.sampleOrigins(of: base, in: caller)
            for origin in origins { types.add(origin.types) }
            if !origins.isEmpty { add(unit, given, types, target, &report) }
        }
    }

    /// Returns a workout's total or a summary's ring, with its unit.
    private func knownUnit(
        of base: ExprSyntax, _ target: Target
    ) -> (name: String, symbol: String)? {
        let origins = target.origins(of: base)
        guard origins.count == 1, let member = origins[0].as(MemberAccessExprSyntax.self),
            let owner = member.base
        else { return nil }
        let name = member.declName.baseName.text
        let plain = name.hasSuffix("Goal") ? String(name.dropLast(4)) : name
        guard let symbol = Self.totals[name] ?? Self.rings[plain] else { return nil }
        let owners = Self.totals[name] == nil ? ["HKActivitySummary"] : ["HKWorkout", "HKSample"]
        return owners.contains(target.elementTypeName(of: owner) ?? "") ? (name, symbol) : nil
    }

    private static let totals = [
        "totalDistance": "m", "totalEnergyBurned": "kcal", "totalSwimmingStrokeCount": "count",
        "totalFlightsClimbed": "count",
    ]
    private static let rings = [
        "activeEnergyBurned": "kcal", "appleExerciseTime": "min", "appleMoveTime": "min",
        "appleStandHours": "count",
    ]

    private func addTotal(
        _ name: String, _ symbol: String, _ unit: HealthUnit, _ expression: ExprSyntax,
        _ target: Target, _ report: inout Report
    ) {
        guard let own = try? HealthUnit(symbol), !own.isCompatible(with: unit),
            let file = target.file(of: expression)
        else { return }
        report.add(
            "HealthKit ends the app: `\(name)` isn't measured in \(unit), but in \(symbol) and "
                + "what converts to it",
            at: expression, in: file)
    }

    private func reviewWriting(
        _ call: FunctionCallExprSyntax, _ target: Target, _ report: inout Report
    ) {
        let name = call.constructedName ?? call.impliedName
        guard name == "HKQuantitySample" || name == "HKCumulativeQuantitySample",
            let type = call.argument("type"), let quantity = call.argument("quantity")
        else { return }
        reviewQuantity(quantity, target.sampleTypes(of: type), target, &report)
    }

    private func reviewPredicates(
        _ query: HealthQuery, _ target: Target, _ report: inout Report
    ) {
        for part in target.parts(of: query) {
            guard let predicate = part.predicate else { continue }
            for origin in target.origins(of: predicate) {
                guard let call = origin.as(FunctionCallExprSyntax.self),
                    call.calledName == "predicateForQuantitySamples",
                    let quantity = call.argument("quantity")
                else { continue }
                reviewQuantity(quantity, part.types, target, &report)
            }
        }
    }

    private func reviewQuantity(
        _ quantity: ExprSyntax, _ types: PossibleTypes, _ target: Target, _ report: inout Report
    ) {
        let origins = target.origins(of: quantity)
        guard origins.count == 1, let made = origins[0].as(FunctionCallExprSyntax.self),
            ["HKQuantity", "init"].contains(made.calledName),
            let expression = made.argument("unit"), let unit = target.unit(of: expression),
            !asksFirst(made)
        else { return }
        add(unit, expression, types, target, &report)
    }

    private func add(
        _ unit: HealthUnit, _ expression: ExprSyntax, _ types: PossibleTypes, _ target: Target,
        _ report: inout Report, severity: Severity? = nil
    ) {
        guard types.areAll({ $0.isCompatible(with: unit) == false }), let type = types.known.first,
            let file = target.file(of: expression)
        else { return }
        let right = type.canonicalUnit.map { ", but in \($0) and what converts to it" }
        report.add(
            "HealthKit ends the app: \(type.name) isn't measured in \(unit)" + (right ?? ""),
            at: expression, in: file, severity: severity)
    }

    /// Returns whether the function checks `is(compatibleWith:)` itself.
    private func asksFirst(_ node: some SyntaxProtocol) -> Bool {
        Syntax(node.enclosingFunction).descendants.contains {
            $0.as(LabeledExprSyntax.self)?.label?.text == "compatibleWith"
        }
    }
}
