import SwiftSyntax

/// Reports local days that are written as dates of GMT.
struct DayInGMT: Rule {
    let name = "day-in-gmt"
    let summary = "a local day written as a date of GMT, often the day before"
    let severity = Severity.note

    func review(_ target: Target, _ report: inout Report) {
        guard target.files.contains(where: \.importsHealthKit) else { return }
        for name in ["string", "formatted", "ISO8601Format"] {
            for call in target.index.calls[name] ?? [] {
                guard let text = DateText(call, target), text.format.isDateOnly else { continue }
                review(text, at: call, target, &report)
            }
        }
        for name in ["prefix", "split", "components"] {
            for call in target.index.calls[name] ?? [] where call.cutsTime {
                guard let base = call.base else { continue }
                for made in target.origins(of: base).compactMap({
                    $0.as(FunctionCallExprSyntax.self)
                }) {
                    guard let text = DateText(made, target), !text.format.isDateOnly else {
                        continue
                    }
                    review(text, at: call, target, &report)
                }
            }
        }
    }

    private func review(
        _ text: DateText, at call: FunctionCallExprSyntax, _ target: Target,
        _ report: inout Report
    ) {
        guard let file = target.file(of: call) else { return }
        switch target.localDate(of: text.date) {
        case .unknown: break
        case .day:
            report.add(
                "midnight of the person's day is another date in GMT, so that values stand under "
                    + "the day before or after: write the date in the calendar's time zone",
                at: call, in: file)
        case .moment:
            report.add(
                "samples of the evening or the morning stand under another day, since their date "
                    + "is written in GMT: write it in the person's time zone", at: call,
                in: file)
        }
    }
}

/// A call that writes a date as text in GMT.
private struct DateText {
    let date: ExprSyntax
    let format: DayFormat

    init?(_ call: FunctionCallExprSyntax, _ target: Target) {
        switch call.calledName {
        case "string":
            guard let date = call.argument("from"), let base = call.base else { return nil }
            if let zone = call.argument("timeZone"), let options = call.argument("formatOptions") {
                // `ISO8601DateFormatter.string(from:timeZone:formatOptions:)`
                guard target.isUTC(zone: zone) else { return nil }
                self.date = date
                format = DayFormat(isDateOnly: target.isDateOnly(options: options))
                return
            }
            guard let format = target.format(of: base) else { return nil }
            (self.date, self.format) = (date, format)
        case "formatted", "ISO8601Format":
            guard let date = call.base else { return nil }
            if let style = call.unlabelledArgument(0) {
                guard let format = target.format(ofStyle: style) else { return nil }
                (self.date, self.format) = (date, format)
            } else {
                guard call.calledName == "ISO8601Format", call.arguments.isEmpty else { return nil }
                self.date = date
                format = DayFormat(isDateOnly: false)
            }
        default: return nil
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether the call takes the date of an ISO 8601 text: `prefix(10)`, `split(separator: "T")`.
    fileprivate var cutsTime: Bool {
        switch calledName {
        case "prefix": unlabelledArgument(0)?.shortText == "10"
        case "split": argument("separator")?.plainString == "T"
        case "components": argument("separatedBy")?.plainString == "T"
        default: false
        }
    }
}
