import SwiftSyntax

/// Reports data shown or recorded as saved although saving it to HealthKit may have failed.
struct SavedThoughFailed: Rule {
    let name = "saved-though-failed"
    let summary = "data shown or recorded as saved although saving it may have failed"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        var claims: [Syntax: Syntax] = [:]
        var told: Set<Syntax> = []
        let passages = FailurePassages.ofWrites(target).all
        for passage in passages {
            if passage.run.isTold {
                told.insert(passage.source)
                continue
            }
            guard
                let claim = passage.run.events.first(where: {
                    $0.isCertain && target.claimsSuccess($0)
                })
            else { continue }
            let isDirect = passage.distance == 0
            if isDirect || claims[passage.source] == nil {
                claims[passage.source] = isDirect ? claim.node : passage.source
            }
        }
        for file in target.files where file.mentionsStore && !file.isTest {
            for call in target.writes(in: file)
            where claims[Syntax(call)] == nil && !told.contains(Syntax(call)) {
                if !call.closures.isEmpty, let claim = claim(after: call, target) {
                    claims[Syntax(call)] = claim
                }
            }
        }
        for passage in passages where claims[passage.source] == nil {
            guard let attempt = passage.run.swallowed, let file = target.file(of: attempt) else {
                continue
            }
            report.add(
                "nobody learns when this can't be saved, as without permission: catch the error and show it",
                at: attempt, in: file, severity: .note)
        }
        reviewPublishers(target, &report)
        for (_, place) in claims {
            guard let file = target.file(of: place) else { continue }
            report.add(
                "this says saved although saving may have failed, as it does without permission: say so only after success, and show the error",
                at: place, in: file)
        }
    }

    /// Returns what says saved in the statements after a call that doesn't wait.
    private func claim(after call: FunctionCallExprSyntax, _ target: Target) -> Syntax? {
        var item = Syntax(call)
        while let parent = item.parent, !parent.is(CodeBlockItemListSyntax.self) { item = parent }
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self) else { return nil }
        let rest = Array(list).filter { $0.position > call.position }
        guard !rest.isEmpty else { return nil }
        var run = FailureRun(target)
        run.follow(rest)
        return run.events.first { $0.isCertain && target.claimsSuccess($0) }?.node
    }
}

extension Target {
    /// Returns whether an event tells people or the caller that something was saved.
    func claimsSuccess(_ event: FailureRun.Event) -> Bool {
        switch event.action {
        case .trap: return false
        case .assignment(let assignment, let value):
            let words = assignment.target.lastName?.camelCaseWords ?? []
            if value == .yes { return !Self.savedWords.isDisjoint(with: words) }
            return assignment.singleValue?.saysSaved ?? false
        case .call(let call, let values):
            let name = call.calledName ?? ""
            if values.contains(.no) { return false }
            if movesMark(event) || call.claimsSuccess { return true }
            if values.first == .yes, keeps(call) { return call.namesSaved }
            if isWithoutError(call, values) { return true }
            if name == "dismiss" || name.hasPrefix("popViewController") { return true }
            if name == "resume" || calledParameter(of: call) != nil || name == "resolve" {
                return values.first == .yes || call.arguments.first?.expression.isSuccess == true
            }
            return false
        }
    }

    /// Returns whether a completion handler that takes nothing but an error is called without one.
    private func isWithoutError(
        _ call: FunctionCallExprSyntax, _ values: [FailureValue]
    ) -> Bool {
        guard call.arguments.count == 1,
            call.arguments.first?.expression.is(NilLiteralExprSyntax.self) == true,
            let type = calledParameter(of: call)?.type.trimmedDescription
        else { return false }
        return type.contains("Error?") || type.contains("Error)?")
    }

    fileprivate static let savedWords: Set<String> = [
        "saved", "success", "succeeded", "successful", "synced", "exported", "logged", "written",
    ]
}

extension FunctionCallExprSyntax {
    /// Whether any word of the call says saved: `set(true, forKey: "didExport")`.
    fileprivate var namesSaved: Bool {
        let words = tokens(viewMode: .sourceAccurate).flatMap { $0.text.camelCaseWords }
        return !Target.savedWords.isDisjoint(with: words)
    }

    /// Whether the call tells success by its name or its argument: `showSaved()`, `play(.success)`,
    /// `delegate?.recorderDidSave(self)`.
    fileprivate var claimsSuccess: Bool {
        let words = calledName?.camelCaseWords ?? []
        let shows = ["show", "present", "display", "mark", "notify", "announce", "on", "handle"]
        if !Target.savedWords.isDisjoint(with: words), shows.contains(words.first ?? "") {
            return true
        }
        if words.contains("did"), words.contains("save") { return true }
        let member = arguments.first?.expression.as(MemberAccessExprSyntax.self)
        return ["play", "notificationOccurred"].contains(calledName ?? "")
            && member?.declName.baseName.text == "success"
    }
}

extension ExprSyntax {
    /// Whether the value is `.success(…)`.
    fileprivate var isSuccess: Bool {
        self.as(FunctionCallExprSyntax.self)?.calledName == "success"
    }

    /// Whether the value is a text that says saved, or an enum's case like `.saved`.
    fileprivate var saysSaved: Bool {
        if let member = bare.as(MemberAccessExprSyntax.self) {
            return ["saved", "success", "succeeded", "done"].contains(member.declName.baseName.text)
        }
        guard let text = bare.as(StringLiteralExprSyntax.self)?.segments.description.lowercased()
        else { return false }
        return ["saved", "success", "recorded", "logged", "added to"].contains(where: text.contains)
            && !["not ", "fail", "n't", "error"].contains(where: text.contains)
    }
}
