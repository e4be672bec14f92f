import SwiftSyntax

/// Reports an age computed as the difference of two years, ignoring month and day.
struct AgeByYears: Rule {
    let name = "age-by-years"
    let summary = "an age as the difference of years, a year too high before the birthday"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard target.mentions("dateOfBirthComponents") else { return }
        for file in target.files where !file.uses.names.isDisjoint(with: Self.years) {
            for sequence in file.uses.sequences
            where isAge(sequence, target) && !isCorrected(sequence) {
                report.add(
                    "the age is a year too high until the birthday: use "
                        + "`calendar.dateComponents([.year], from: birth, to: now)`",
                    at: sequence, in: file)
            }
        }
    }

    private static let years: Set<String> = ["year", "birthYear", "yearOfBirth"]

    /// Returns whether an expression subtracts the year of birth from another year.
    private func isAge(_ sequence: SequenceExprSyntax, _ target: Target) -> Bool {
        let elements = Array(sequence.elements)
        return elements.indices.dropFirst().dropLast().contains { place in
            elements[place].as(BinaryOperatorExprSyntax.self)?.operator.text == "-"
                && isYearOfBirth(elements[place + 1], target)
                && isYear(elements[place - 1], target)
        }
    }

    /// Returns whether the function looks at months or days, or takes a year off.
    private func isCorrected(_ sequence: SequenceExprSyntax) -> Bool {
        let function = sequence.enclosingFunction
        let looksAtDays = function.all(MemberAccessExprSyntax.self).contains { member in
            guard ["month", "day", "dayOfYear"].contains(member.declName.baseName.text) else {
                return false
            }
            // `.month` in `[.year, .month]` says only what is asked for.
            return member.base != nil
                || member.enclosing(FunctionCallExprSyntax.self)?.calledName == "component"
        }
        return looksAtDays
            || function.all(BinaryOperatorExprSyntax.self).contains { $0.operator.text == "-=" }
            || function.all(FunctionCallExprSyntax.self).contains {
                ["nextDate", "compare"].contains($0.calledName)
            }
    }

    private func isYearOfBirth(_ expression: ExprSyntax, _ target: Target) -> Bool {
        origins(of: expression, target).contains { origin in
            if let member = origin.as(MemberAccessExprSyntax.self), let base = member.base,
                member.declName.baseName.text == "year"
            {
                return isBirth(base, target)
            }
            guard let call = origin.as(FunctionCallExprSyntax.self),
                call.calledName == "component", let date = call.argument("from")
            else { return false }
            return call.unlabelledArgument(0)?.lastName == "year" && isBirth(date, target)
        }
    }

    /// Returns whether a value is what HealthKit knows of the birth: components, or their date.
    private func isBirth(_ expression: ExprSyntax, _ target: Target) -> Bool {
        var pending = [expression]
        var steps = 0
        while let next = pending.popLast(), steps < 12 {
            steps += 1
            for origin in origins(of: next, target) {
                if let member = origin.as(MemberAccessExprSyntax.self), let base = member.base,
                    member.declName.baseName.text == "date"
                {
                    pending.append(base)
                } else if let call = origin.as(FunctionCallExprSyntax.self) {
                    if call.calledName == "dateOfBirthComponents" { return true }
                    let source = ["date", "dateComponents"].contains(call.calledName)
                    if source, call.argument("to") == nil, let from = call.argument("from") {
                        pending.append(from)
                    }
                }
            }
        }
        return false
    }

    private func isYear(_ expression: ExprSyntax, _ target: Target) -> Bool {
        target.origins(of: expression).contains { origin in
            if let call = origin.as(FunctionCallExprSyntax.self) {
                return call.calledName == "component"
                    && call.unlabelledArgument(0)?.lastName == "year"
            }
            return origin.lastName == "year"
        }
    }

    /// Returns the origins of a value: for a member of another value, those of what the target
    /// assigns to members of that name; for a parameter, those of its arguments.
    private func origins(of expression: ExprSyntax, _ target: Target) -> [ExprSyntax] {
        target.origins(of: expression).flatMap { origin -> [ExprSyntax] in
            if case .parameter(let parameter) = target.binding(of: origin),
                let function = parameter.function
            {
                return target.calls(of: function).compactMap { $0.argument(for: parameter) }
                    .flatMap { target.origins(of: $0) }
            }
            guard let member = origin.as(MemberAccessExprSyntax.self), member.base != nil,
                let name = origin.lastName, name != "year", name != "date"
            else { return [origin] }
            return (target.index.memberAssignments[name] ?? []).compactMap(\.firstChoice)
                .flatMap { target.origins(of: $0) }
        }
    }
}
