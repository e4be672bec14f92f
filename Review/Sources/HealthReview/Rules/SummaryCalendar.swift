import SwiftSyntax

/// Reports date components without a calendar in a predicate for activity summaries.
struct SummaryCalendar: Rule {
    let name = "summary-calendar"
    let summary = "date components without a calendar for activity summaries, which ends the app"
    let severity = Severity.error

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files {
            for name in ["predicate", "predicateForActivitySummary"] {
                for call in file.uses.callsByName[name] ?? [] {
                    review(call, target, file, &report)
                }
            }
        }
    }

    private func review(
        _ call: FunctionCallExprSyntax, _ target: Target, _ file: SourceFile,
        _ report: inout Report
    ) {
        let labels =
            call.calledName == "predicateForActivitySummary"
            ? ["with"]
            : call.argument("forActivitySummariesBetweenStart") == nil
                ? [] : ["forActivitySummariesBetweenStart", "end"]
        let first = labels.lazy.compactMap { call.argument($0) }
            .first { lacksCalendar($0, target) }
        guard let first else { return }
        report.add(
            "HealthKit ends the app when these components have no calendar: set "
                + "`components.calendar`", at: first, in: file, fix: fix(first, target, file))
    }

    /// Returns the correction of `calendar.dateComponents([.year, .month, .day], from: date)`.
    private func fix(_ components: ExprSyntax, _ target: Target, _ file: SourceFile) -> Fix? {
        let origins = target.origins(of: components)
        // With two dates, both may need the correction, and one finding stands for both.
        let argument = components.parent?.as(LabeledExprSyntax.self)?.label?.text
        guard argument == "with" || argument == nil, origins.count == 1,
            let call = origins[0].as(FunctionCallExprSyntax.self),
            call.calledName == "dateComponents",
            target.file(of: call)?.path == file.path,
            let units = call.unlabelledArgument(0)?.as(ArrayExprSyntax.self),
            let first = units.elements.first
        else { return nil }
        return Fix("takes the calendar along", inserting: ".calendar, ", before: first)
    }

    /// Returns whether components were made without a calendar, as far as the source shows it.
    private func lacksCalendar(_ expression: ExprSyntax, _ target: Target) -> Bool {
        guard !setsCalendar(of: expression) else { return false }
        var pending = target.origins(of: expression)
        var steps = 0
        while let origin = pending.popLast() {
            steps += 1
            guard steps < 24 else { return false }
            if let next = results(of: origin, target) {
                pending += next
            } else if !isWithoutCalendar(origin, expression, target) {
                return false
            }
        }
        return steps > 0
    }

    /// Returns the results of a function or computed property of the target that isn't the type's
    /// own: `date.summaryComponents`, `DateComponents.day(of: date)`.
    private func results(of origin: ExprSyntax, _ target: Target) -> [ExprSyntax]? {
        if let member = origin.as(MemberAccessExprSyntax.self), member.base != nil {
            let found = target.index.computed[member.declName.baseName.text] ?? []
            guard found.count == 1, let getter = found[0].getterStatements else { return nil }
            return target.results(of: getter).flatMap { target.origins(of: $0) }
        }
        guard let call = origin.as(FunctionCallExprSyntax.self), call.base != nil,
            call.argument("from") == nil, let function = target.function(calledBy: call)
        else { return nil }
        let results = target.results(of: function).flatMap { target.origins(of: $0) }
        return results.isEmpty ? nil : results
    }

    private func isWithoutCalendar(
        _ origin: ExprSyntax, _ use: ExprSyntax, _ target: Target
    ) -> Bool {
        guard let call = origin.as(FunctionCallExprSyntax.self) else { return false }
        if origin.enclosingFunction != use.enclosingFunction, setsAnyCalendar(in: origin) {
            return false
        }
        if (call.constructedName ?? call.impliedName) == "DateComponents"
            || call.impliedName == "DateComponents"
        {
            return call.argument("calendar") == nil
        }
        guard call.calledName == "dateComponents", call.argument("from") != nil,
            call.argument("to") == nil, call.argument("in") == nil,
            let units = call.unlabelledArgument(0)
        else { return false }
        let lists = target.origins(of: units).map { $0.as(ArrayExprSyntax.self) }
        return !lists.isEmpty
            && lists.allSatisfy { list in list.map { !$0.takesMember("calendar") } ?? false }
    }

    /// Returns whether the calendar of the components is set around their use, or may be: on
    /// another name than a plain one, or by a function that receives them `inout`.
    private func setsCalendar(of expression: ExprSyntax) -> Bool {
        guard let name = expression.bare.ownName else { return false }
        let function = expression.enclosingFunction
        if function.all(InOutExprSyntax.self).contains(where: {
            $0.expression.bare.ownName == name
        }) {
            return true
        }
        return function.all(SequenceExprSyntax.self).contains { node in
            guard let set = Assignment(node)?.target.calendarOwner else { return false }
            return set.bare.ownName.map { $0 == name || $0.hasPrefix("$") } ?? true
        } || function.isAliased(name)
    }

    private func setsAnyCalendar(in origin: ExprSyntax) -> Bool {
        let function = origin.enclosingFunction
        return !function.all(InOutExprSyntax.self).isEmpty
            || function.all(SequenceExprSyntax.self).contains {
                Assignment($0)?.target.calendarOwner != nil
            }
    }
}

extension ExprSyntax {
    /// The components in `components.calendar`.
    fileprivate var calendarOwner: ExprSyntax? {
        guard let member = self.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "calendar"
        else { return nil }
        return member.base
    }
}

extension Syntax {
    /// Returns whether a name is only another one for a value whose calendar is set:
    /// `var start = …; start.calendar = calendar; let first = start`.
    fileprivate func isAliased(_ name: String) -> Bool {
        let sources = all(PatternBindingSyntax.self).filter { $0.boundName == name }
            .compactMap { $0.initializer?.value.bare.ownName }
        return all(SequenceExprSyntax.self).contains { node in
            guard let owner = Assignment(node)?.target.calendarOwner?.bare.ownName else {
                return false
            }
            return sources.contains(owner)
        }
    }
}
