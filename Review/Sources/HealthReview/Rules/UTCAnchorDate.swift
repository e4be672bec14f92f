import SwiftSyntax

/// Reports collections whose days start at midnight UTC or at the current time, or have a fixed
/// length.
struct UTCAnchorDate: Rule {
    let name = "utc-anchor-date"
    let summary = "a collection whose days aren't those of the person's calendar"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("anchorDate") {
            for query in file.queries where query.kind == .statisticsCollection {
                review(query, target, file, &report)
            }
        }
    }

    private func review(
        _ query: HealthQuery, _ target: Target, _ file: SourceFile, _ report: inout Report
    ) {
        let interval = query.call.argument("intervalComponents")
        let length = interval.map { target.intervalLength(of: $0) } ?? .unknown
        if let interval, case .fixedDays(let hours) = length {
            report.add(
                "after a clock change days begin an hour off: use `DateComponents(day:)` instead of "
                    + "\(hours) hours",
                at: interval, in: file, fix: dayFix(interval, hours: hours))
        }
        guard let anchor = query.call.argument("anchorDate"), length != .short,
            let problem = target.anchorDateProblem(of: anchor)
        else { return }
        switch problem {
        case .utc:
            report.add(
                "days begin at midnight of UTC, hours off for most people: anchor them at "
                    + "`Calendar.current.startOfDay(for:)`", at: anchor, in: file)
        case .now where length != .unknown:
            report.add(
                "days begin at whatever time it is now: anchor them at "
                    + "`Calendar.current.startOfDay(for:)`", at: anchor, in: file,
                fix: anchor.isPresentMoment
                    ? Fix(
                        "anchors days at midnight", replacing: anchor,
                        with: "Calendar.current.startOfDay(for: \(anchor.trimmedDescription))")
                    : nil)
        case .endless where length != .unknown:
            report.add(
                "days begin at an odd hour, not at the person's midnight: anchor them at "
                    + "`Calendar.current.startOfDay(for:)`", at: anchor, in: file)
        case .now, .endless: break
        }
    }

    /// Returns the correction of `DateComponents(hour: 24)`.
    private func dayFix(_ interval: ExprSyntax, hours: Int) -> Fix? {
        guard let call = interval.as(FunctionCallExprSyntax.self),
            call.constructedName == "DateComponents", call.arguments.count == 1
        else { return nil }
        return Fix(
            "counts days of the calendar", replacing: interval,
            with: "DateComponents(day: \(hours / 24))")
    }
}

extension ExprSyntax {
    /// Whether the expression is `Date()` or `Date.now`, with its type's name.
    fileprivate var isPresentMoment: Bool {
        ["Date()", "Date.now"].contains(trimmedDescription)
    }
}
