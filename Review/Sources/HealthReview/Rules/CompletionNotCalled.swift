import SwiftSyntax

/// Reports ways on which a callback around HealthKit is not called, or is called twice.
struct CompletionNotCalled: Rule {
    let name = "completion-not-called"
    let summary = "a completion handler or continuation that isn't called exactly once on every way"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for finding in target.replyFindings {
            let reply = finding.reply
            let file = finding.file
            switch finding.mistake {
            case .never:
                report.add(
                    "\(waits(reply)), since \(call(reply)) is never called", at: finding.place,
                    in: file)
            case .missing(let end): add(end, finding, target, &report)
            case .second(let node):
                // A continuation resumed twice is an error of `resumed-twice`.
                if reply.kind == .continuation || reply.kind == .future { continue }
                report.add(
                    "\(call(reply)) is called a second time here, \(consequence(reply)): return after the first call",
                    at: node, in: file)
            case .perElement(let node):
                report.add(
                    "\(waits(reply)) if there is nothing to go through, and \(call(reply)) is called again for each element: call it once, after the loop",
                    at: node, in: file)
            case .repeated(let node, let kind):
                if reply.kind == .continuation || reply.kind == .future { continue }
                report.add(
                    "\(call(reply)) is called each time `\(kind.rawValue)` calls its handler, \(consequence(reply)): call it once, at the end",
                    at: node, in: file)
            }
        }
    }

    private func add(
        _ end: PathEnd, _ finding: ReplyReview.Finding, _ target: Target, _ report: inout Report
    ) {
        let (reply, file) = (finding.reply, finding.file)
        let waits = waits(reply)
        let call = call(reply)
        switch end {
        case .returned(let node):
            let reason = reason(node, reply, target)
            if reason == .never { return }
            report.add(
                "\(waits) when the code leaves here: call \(call) first", at: node, in: file,
                severity: reason == .ownerGone ? .note : nil)
        case .thrown(let node):
            report.add(
                "\(waits) when an error is thrown here: catch it and call \(call)", at: node,
                in: file)
        case .finished:
            report.add(
                "\(waits), as \(call) isn't called on every way through this code: call it on the others too",
                at: finding.place, in: file)
        }
    }

    /// Why a way out is taken.
    private enum Reason {
        case any
        /// Only when `self` is gone, and often the caller with it.
        case ownerGone
        /// When a constant type or a date of a calendar is missing, which doesn't happen.
        case never
    }

    private func reason(_ node: ReturnStmtSyntax, _ reply: Reply, _ target: Target) -> Reason {
        guard let test = node.enclosing(GuardStmtSyntax.self), node.isInside(test.body) else {
            return .any
        }
        var reasons: Set<Reason> = []
        for element in test.conditions {
            guard case .optionalBinding(let binding) = element.condition else { return .any }
            let value = binding.initializer?.value
            if value?.bare.isOwn ?? (binding.pattern.trimmedDescription == "self") {
                reasons.insert(reply.kind == .continuation ? .any : .ownerGone)
            } else if let value, value.isOfCalendar || target.sampleTypes(of: value).areKnown {
                reasons.insert(.never)
            } else {
                return .any
            }
        }
        if reasons.contains(.any) { return .any }
        return reasons.contains(.ownerGone) ? .ownerGone : .never
    }

    private func call(_ reply: Reply) -> String {
        if reply.kind == .signal { return "`\(reply.mainName).\(reply.signal)()`" }
        if reply.kind == .continuation, !reply.members.isEmpty {
            return "`\(reply.mainName).resume`"
        }
        return "`\(reply.mainName)`"
    }

    private func waits(_ reply: Reply) -> String {
        switch reply.kind {
        case .completion, .future: "the caller waits for ever"
        case .bridge: "the other side's promise is never settled"
        case .continuation: "the awaiting task hangs for ever"
        case .signal: "the code that waits for `\(reply.mainName)` never goes on"
        }
    }

    private func consequence(_ reply: Reply) -> String {
        switch reply.kind {
        case .bridge: "which ends the app or is refused"
        case .signal: "which ends the app"
        default: "so the caller goes on twice"
        }
    }
}

extension ExprSyntax {
    /// Whether the value is computed by a calendar: `calendar.date(byAdding: .day, …)`.
    fileprivate var isOfCalendar: Bool {
        guard let base = bare.as(FunctionCallExprSyntax.self)?.base?.bare.shortText else {
            return false
        }
        return base.hasPrefix("Calendar") || base.lowercased().hasSuffix("calendar")
            || base.hasPrefix("cal.") || base == "cal"
    }
}
