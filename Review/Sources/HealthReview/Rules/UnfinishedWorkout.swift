import SwiftSyntax

/// Reports workouts that are recorded and never saved: a builder that isn't finished, or finished
/// before its collection has ended, a route without an end, a session that runs on.
struct UnfinishedWorkout: Rule {
    let name = "unfinished-workout"
    let summary = "a workout that is recorded and never saved, or a session that never ends"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.mentionsStore && !file.isTest {
            reviewBuilders(file, target, &report)
            reviewSessions(file, target, &report)
            reviewRoutes(file, target, &report)
            reviewFailure(file, target, &report)
            for call in file.uses.callsByName["finishWorkout"] ?? [] {
                reviewOrder(call, file, &report)
            }
            for call in file.uses.callsByName["discardWorkout"] ?? [] {
                reviewDiscard(call, file, target, &report)
            }
        }
    }

    private func reviewBuilders(_ file: SourceFile, _ target: Target, _ report: inout Report) {
        for call in file.uses.callsByName["beginCollection"] ?? [] where call.base != nil {
            if !target.mentioned.contains("finishWorkout") {
                report.add(
                    "the workout is lost: `finishWorkout` is never called, and only that saves what the builder has collected",
                    at: call, in: file)
            } else if !target.mentioned.contains("endCollection") {
                report.add(
                    "the workout can't be saved: `finishWorkout` fails while the collection runs; call `endCollection` first and wait for it",
                    at: call, in: file)
            }
        }
    }

    /// Reports a session without any call that ends it.
    private func reviewSessions(_ file: SourceFile, _ target: Target, _ report: inout Report) {
        for call in file.uses.callsByName["HKWorkoutSession"] ?? []
        where !call.arguments.isEmpty && call.argument("configuration") != nil {
            guard !target.endsSessions, target.startsSessions else { continue }
            report.add(
                "the session never ends: the sensors run on, empty the battery and keep other workouts from starting; call `end()`",
                at: call, in: file)
        }
    }

    /// Reports a function that drops the builder and the session, and never ends the session.
    private func reviewDiscard(
        _ discard: FunctionCallExprSyntax, _ file: SourceFile, _ target: Target,
        _ report: inout Report
    ) {
        guard let function = discard.enclosing(FunctionDeclSyntax.self), let body = function.body,
            !function.name.text.hasPrefix("workout"), target.startsSessions
        else { return }
        let called = body.all(FunctionCallExprSyntax.self)
        let bodies = [body] + called.compactMap { target.function(calledBy: $0)?.body }
        guard bodies.contains(where: \.dropsSession), !bodies.contains(where: \.endsSession),
            !target.calls(of: function).contains(where: \.call.isAfterEnd)
        else { return }
        report.add(
            "the session is dropped without `end()`: the sensors run on, empty the battery and keep other workouts from starting; end it first",
            at: discard, in: file)
    }

    /// Reports a failure of the session that is only logged.
    private func reviewFailure(_ file: SourceFile, _ target: Target, _ report: inout Report) {
        for function in file.declarations.functions["workoutSession"] ?? [] {
            let labels = function.signature.parameterClause.parameters.map(\.firstName.text)
            guard labels.contains("didFailWithError"), let body = function.body,
                target.mentioned.contains("finishWorkout"),
                body.statements.allSatisfy({ $0.item.isReport })
            else { continue }
            report.add(
                "when the session fails, the screen goes on and what was collected isn't saved: finish the builder here, and say what happened",
                at: function.name, in: file, severity: .note)
        }
    }

    private func reviewRoutes(_ file: SourceFile, _ target: Target, _ report: inout Report) {
        for call in file.uses.callsByName["HKWorkoutRouteBuilder"] ?? []
        where !call.arguments.isEmpty {
            guard target.mentioned.contains("insertRouteData"),
                !target.mentioned.contains("finishRoute")
            else { continue }
            report.add(
                "the route is lost: `finishRoute` is never called, and only that saves it with the workout",
                at: call, in: file)
        }
    }

    /// Reports `finishWorkout` beside an `endCollection` that doesn't wait.
    private func reviewOrder(
        _ finish: FunctionCallExprSyntax, _ file: SourceFile, _ report: inout Report
    ) {
        guard !finish.isAwaited, !finish.closures.isEmpty,
            let base = finish.base?.bare.shortText
        else { return }
        let ends = (file.uses.callsByName["endCollection"] ?? []).filter {
            !$0.isAwaited && $0.base?.bare.shortText == base && !finish.isInside($0)
                && $0.position < finish.position && $0.enclosingBody == finish.enclosingBody
        }
        guard let end = ends.last, !end.waits(before: finish) else { return }
        report.add(
            "the workout may be lost: the collection is still ending here, and `finishWorkout` fails until it has; call it in the handler of `endCollection`",
            at: finish, in: file)
    }
}

extension Target {
    /// Whether any session is ended.
    fileprivate var endsSessions: Bool {
        let calls = (index.calls["end"] ?? []) + (index.calls["stopActivity"] ?? [])
        return calls.contains { call in
            if call.arguments.isEmpty {
                guard let base = call.base?.bare else { return false }
                let type = typeName(of: base)
                return type == nil ? Self.namesSession(base) : type == "HKWorkoutSession"
            }
            return call.calledName == "stopActivity" || call.base.map { isHealthStore($0) } == true
        } || mentioned.contains("endWorkoutSession")
    }

    fileprivate var startsSessions: Bool {
        ["startActivity", "startWorkoutSession", "prepare"].contains { mentioned.contains($0) }
            || (index.calls["start"] ?? []).contains { call in
                call.base.map { isHealthStore($0) } == true
            }
    }

    private static func namesSession(_ base: ExprSyntax) -> Bool {
        guard let name = base.lastName?.lowercased() else { return true }
        return name.contains("session") || name.hasPrefix("$") || name.contains("workout")
    }
}

extension FunctionCallExprSyntax {
    /// Whether something between the two calls waits: a semaphore, a group.
    fileprivate func waits(before other: FunctionCallExprSyntax) -> Bool {
        enclosingBody.all(FunctionCallExprSyntax.self).contains {
            $0.position > position && $0.position < other.position
                && ["wait", "notify"].contains($0.calledName ?? "")
        }
    }
}

extension CodeBlockItemSyntax.Item {
    /// Whether the statement is a call that only writes to a log.
    fileprivate var isReport: Bool {
        guard case .expr(let expression) = self else { return false }
        return expression.as(FunctionCallExprSyntax.self)?.isReport ?? false
    }
}

extension CodeBlockSyntax {
    /// Whether a session is set to nil.
    fileprivate var dropsSession: Bool {
        all(SequenceExprSyntax.self).compactMap { Assignment($0) }.contains {
            $0.target.lastName?.lowercased().hasSuffix("session") == true
                && $0.singleValue?.is(NilLiteralExprSyntax.self) == true
        }
    }
}

extension SyntaxProtocol {
    fileprivate var endsSession: Bool {
        all(FunctionCallExprSyntax.self).contains {
            ["end", "stopActivity"].contains($0.calledName ?? "")
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether the body around the call ends a session, or handles its end.
    fileprivate var isAfterEnd: Bool {
        enclosing(FunctionDeclSyntax.self)?.name.text.hasPrefix("workout") == true
            || enclosingBody.endsSession
    }
}
