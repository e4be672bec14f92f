import SwiftSyntax

/// Reports a failed read that is passed off as 0 or as an empty list: on a locked phone every read
/// fails, and what is stored or sent then says that there was nothing.
struct ErrorAsZero: Rule {
    let name = "error-as-zero"
    let summary = "a failed read turned into 0 or an empty list, as if there were no data"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        var causes: [Syntax: (place: Syntax, sink: ValueSink)] = [:]
        for passage in target.failedReads
        where !passage.run.isTold && !target.isDelta(passage.source) {
            for event in passage.run.events {
                guard let sink = target.sink(of: event), sink > .shown || event.isCertain
                else { continue }
                let place = passage.origin ?? passage.run.firstZero ?? event.node
                let body = place.enclosingBody
                let cause = causes[body] ?? (place, sink)
                causes[body] = (
                    cause.place.position < place.position ? cause.place : place,
                    max(sink, cause.sink)
                )
            }
        }
        for (place, sink) in causes.values {
            guard let file = target.file(of: place), !file.isTest else { continue }
            report.add(
                Self.message(sink), at: place, in: file, severity: sink == .shown ? .note : nil)
        }
    }

    private static func message(_ sink: ValueSink) -> String {
        switch sink {
        case .shown:
            "a read that fails, as on a locked phone, looks like a day without data: show that it failed, or keep the last value"
        case .inWidget:
            "a read that fails shows 0 in the widget, and widgets are drawn while the phone is locked: keep the last value"
        case .sent:
            "a read that fails, as on a locked phone, is passed on as 0, as if there were no data: pass on the error instead"
        case .kept:
            "a read that fails, as on a locked phone, is stored as 0 or empty, as if there were no data: pass the error on and keep the last value"
        }
    }
}

extension Target {
    /// Returns whether a read gives changes since an anchor: to apply none of them does no harm.
    fileprivate func isDelta(_ source: Syntax) -> Bool {
        guard let call = source.as(FunctionCallExprSyntax.self) else { return false }
        let query = HealthQuery(call) ?? descriptorQuery(of: ExprSyntax(call))
        return query?.kind == .anchored
    }
}
