import SwiftSyntax

/// Reports code that ends the app when a HealthKit operation fails or finds nothing:
/// `fatalError` on a query's error, `samples!`, `sumQuantity()!` of a day without data.
struct FatalOnFailure: Rule {
    let name = "fatal-on-failure"
    let summary = "the app ended by force where a read fails or there is no data"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        var seen: Set<SyntaxIdentifier> = []
        for (passages, message) in [
            (target.failedReads, Self.onFailure),
            (FailurePassages.ofEmptyReads(target).all, Self.withoutData),
            (FailurePassages.ofRequests(target).all, Self.onFailedWrite),
            (FailurePassages.ofWrites(target).all, Self.onFailedWrite),
        ] {
            for event in passages.flatMap(\.run.events) where event.isCertain {
                guard case .trap(let node) = event.action, let file = target.file(of: node),
                    !file.isTest, seen.insert(node.id).inserted
                else { continue }
                report.add(message, at: node, in: file)
            }
        }
        for file in target.files where file.mentionsStore && !file.isTest {
            for node in file.uses.forceUnwraps where !seen.contains(node.id) {
                review(node, file, &report)
            }
            for call in Self.throwing.flatMap({ file.uses.callsByName[$0] ?? [] }) {
                guard let attempt = call.forcedTry, !seen.contains(attempt.id) else { continue }
                report.add(Self.onFailure, at: attempt, in: file)
            }
        }
    }

    /// Reports `statistics.sumQuantity()!` and `workout.totalDistance!`.
    private func review(
        _ node: ForceUnwrapExprSyntax, _ file: SourceFile, _ report: inout Report
    ) {
        let value = node.expression.bare
        if let call = value.as(FunctionCallExprSyntax.self), let name = call.calledName,
            Self.quantities.contains(name), !node.isTested(name),
            call.base?.all(ForceUnwrapExprSyntax.self).isEmpty == true
        {
            let closure = node.enclosingBody.as(ClosureExprSyntax.self)
            let walk = closure?.receivingCall
            if walk?.calledName == "enumerateStatistics" {
                report.add(Self.withoutData, at: node, in: file)
            } else if walk?.base?.contains("statistics") != true, !node.isInPopulatedLoop {
                report.add(Self.withoutData, at: node, in: file, severity: .note)
            }
        } else if let member = value.as(MemberAccessExprSyntax.self),
            ["totalDistance", "totalEnergyBurned"].contains(member.declName.baseName.text),
            member.base?.bare.isOwn == false, !node.isTested(member.declName.baseName.text)
        {
            report.add(
                "the app ends here at a workout without this total, as strength training has no distance: unwrap it with `if let`",
                at: node, in: file)
        }
    }

    private static let quantities: Set<String> = [
        "sumQuantity", "averageQuantity", "minimumQuantity", "maximumQuantity",
        "mostRecentQuantity",
    ]
    /// Throwing functions of HealthKit that fail for people who haven't entered or allowed it.
    private static let throwing = [
        "dateOfBirthComponents", "biologicalSex", "bloodType", "fitzpatrickSkinType",
        "wheelchairUse", "activityMoveMode", "HKWorkoutSession",
    ]
    private static let onFailure =
        "the app ends here when HealthKit reports an error, as it does for every read on a locked phone: handle the error"
    private static let onFailedWrite =
        "the app ends here when HealthKit reports an error, as where saving or asking isn't allowed: handle the error"
    private static let withoutData =
        "the app ends here for people, or on days, without data: unwrap it with `if let`"
}

extension SyntaxProtocol {
    /// Whether a condition of the body around the node tests a member of this name.
    fileprivate func isTested(_ name: String) -> Bool {
        enclosingBody.all(ConditionElementListSyntax.self).contains { $0.contains(name) }
            || enclosingBody.all(SequenceExprSyntax.self).contains { sequence in
                sequence.contains(name)
                    && sequence.elements.contains { $0.is(UnresolvedTernaryExprSyntax.self) }
            }
    }

    /// Whether the node is in a loop over `collection.statistics()`, which has no empty elements.
    fileprivate var isInPopulatedLoop: Bool {
        enclosing(ForStmtSyntax.self)?.sequence.contains("statistics") == true
    }
}

extension FunctionCallExprSyntax {
    /// The `try!` that the call is evaluated under.
    fileprivate var forcedTry: TryExprSyntax? {
        guard let attempt = enclosing(TryExprSyntax.self),
            attempt.questionOrExclamationMark?.tokenKind == .exclamationMark,
            attempt.expression.bare.id == ExprSyntax(self).id
                || attempt.expression.bare.as(MemberAccessExprSyntax.self)?.base?.bare.id
                    == ExprSyntax(self).id
        else { return nil }
        return attempt
    }
}
