import SwiftSyntax

/// Reports a date of the last sync, or an anchor, that moves on although the read has failed: what
/// was recorded in between is never read.
struct LockedDevice: Rule {
    let name = "locked-device"
    let summary = "work marked as done although the read failed, as it does on a locked phone"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for passage in target.failedReads {
            reviewTask(passage, target, &report)
            for event in passage.run.events
            where event.isCertain && target.movesMark(event) {
                guard let file = target.file(of: event.node), !file.isTest else { continue }
                report.add(
                    "the date or anchor moves on although the read failed, as every read does on a locked phone: what was recorded meanwhile is never read; move it after success only",
                    at: event.node, in: file)
            }
        }
    }

    /// Reports a background task that is reported as successful.
    private func reviewTask(
        _ passage: FailurePassage, _ target: Target, _ report: inout Report
    ) {
        guard !passage.run.isTold else { return }
        for event in passage.run.events where event.isCertain {
            guard case .call(let call, let values) = event.action,
                call.calledName == "setTaskCompleted", values.first == .yes,
                let file = target.file(of: call)
            else { continue }
            report.add(
                "the task counts as done although the read failed, as every read does on a locked phone: complete it without success, and try again when the phone is unlocked",
                at: call, in: file, severity: .note)
        }
    }
}

extension Target {
    /// Returns whether an event stores the present time as the date of the last sync.
    func movesMark(_ event: FailureRun.Event) -> Bool {
        switch event.action {
        case .call(let call, _):
            guard keeps(call), call.arguments.contains(where: { $0.expression.isPresentTime })
            else { return false }
            let words = call.tokens(viewMode: .sourceAccurate).flatMap { $0.text.camelCaseWords }
            return words.nameMark
        case .assignment(let assignment, _):
            guard let value = assignment.value.first, assignment.value.count == 1,
                value.isPresentTime, let name = assignment.target.lastName
            else { return false }
            return name.camelCaseWords.nameMark
        case .trap: return false
        }
    }
}

extension [String] {
    /// Whether the words name how far a sync has come.
    fileprivate var nameMark: Bool {
        contains { ["sync", "synced", "upload", "uploaded", "export", "exported"].contains($0) }
            || contains("last")
                && contains { ["fetch", "read", "import", "query", "processed"].contains($0) }
    }
}

extension ExprSyntax {
    /// Whether the value is made of the present time: `Date()`, `Date.now`, `now`.
    fileprivate var isPresentTime: Bool {
        let text = shortText ?? ""
        return text.hasPrefix("Date()") || text.hasPrefix("Date.now") || text == ".now"
            || text == "now"
    }
}
