import SwiftSyntax

/// Reports date formats with the year of the week, `YYYY`, beside a month or a day.
struct WeekYear: Rule {
    let name = "week-year"
    let summary = "a date format with the year of the week, wrong around New Year"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard target.files.contains(where: \.importsHealthKit),
            ["dateFormat", "DateFormatter", Self.template].contains(where: target.mentions)
        else { return }
        for assignment in target.index.memberAssignments["dateFormat"] ?? [] {
            guard let value = assignment.singleValue else { continue }
            for origin in target.origins(of: value) { review(origin, target, &report) }
        }
        for call in target.index.calls["dateFormat"] ?? [] {
            if let text = call.argument("fromTemplate") { review(text, target, &report) }
        }
        for call in target.index.calls[Self.template] ?? [] {
            if let text = call.unlabelledArgument(0) { review(text, target, &report) }
        }
        for file in target.files {
            for text in file.uses.strings where isFormat(text) && !isShown(text) {
                review(ExprSyntax(text), target, &report)
            }
        }
    }

    private func review(_ expression: ExprSyntax, _ target: Target, _ report: inout Report) {
        guard let format = expression.plainString, let file = target.file(of: expression) else {
            return
        }
        let letters = Self.letters(format)
        guard letters.contains("Y"), !letters.contains("w"), !letters.contains("W"),
            letters.contains(where: { "MLdD".contains($0) })
        else { return }
        report.add(
            "days around New Year get the wrong year: `Y` is the year of the week; write `yyyy`",
            at: expression, in: file,
            fix: expression.isOnlyUsedHere
                ? Fix(
                    "writes the year as y", replacing: expression,
                    with: Self.corrected(expression.trimmedDescription)) : nil)
    }

    /// Returns a literal with `y` for `Y`, except in quoted words.
    private static func corrected(_ literal: String) -> String {
        literal.split(separator: "'", omittingEmptySubsequences: false).enumerated().map {
            $0.offset % 2 == 0 ? String($0.element).replacing("Y", with: "y") : String($0.element)
        }.joined(separator: "'")
    }

    /// Returns whether a text can only be a date format, wherever it is used: `YYYY-MM-dd`.
    ///
    /// A capital `DD` is the usual way to tell people how to type a date, so it doesn't count.
    private func isFormat(_ text: StringLiteralExprSyntax) -> Bool {
        guard let format = ExprSyntax(text).plainString, format.count < 48 else { return false }
        let letters = Self.letters(format)
        guard letters.contains("YY"), letters.contains("M"), letters.contains("d") else {
            return false
        }
        return letters.allSatisfy { !$0.isASCII || !$0.isLetter || Self.symbols.contains($0) }
            && !letters.contains("DD")
    }

    /// Returns whether a text is shown to people: `Text("YYYY-MM-dd")`, `field.placeholder = …`.
    private func isShown(_ text: StringLiteralExprSyntax) -> Bool {
        if Syntax(text).isLogEntry { return true }
        if let argument = text.parent?.as(LabeledExprSyntax.self),
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
        {
            let label = argument.label?.text.lowercased() ?? ""
            return Self.views.contains(call.calledName ?? "")
                || ["placeholder", "prompt", "title", "hint"].contains(label)
        }
        guard let sequence = text.parent?.parent?.as(SequenceExprSyntax.self),
            let name = Assignment(sequence)?.target.lastName?.lowercased()
        else { return false }
        return name.hasSuffix("placeholder") || name.hasSuffix("text")
    }

    /// Returns a format without the text in quotes.
    private static func letters(_ format: String) -> String {
        format.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 0 }.map(\.element).joined()
    }

    private static let template = "setLocalizedDateFormatFromTemplate"
    private static let symbols = Set("YMLdDEecaHhKkmsSAzZOvVXxTGQq")
    private static let views: Set<String> = [
        "Text", "TextField", "Label", "LocalizedStringKey", "NSLocalizedString", "LabeledContent",
        "fatalError", "preconditionFailure",
    ]
}
