import SwiftSyntax

/// The comments of one file that suppress findings.
///
///     // openhealth:ignore unbounded-query A person's own weights, a few hundred in a life.
///     let query = HKSampleQuery(…)
///
///     let total = samples.reduce(0, +)  // openhealth:ignore summed-samples One source by then.
///
/// A comment after code applies to its line. A comment above a statement applies to the statement,
/// but not to statements inside it. A comment without a reason suppresses nothing.
struct Suppressions {
    static let mark = "openhealth:ignore"

    /// The remaining findings, including those about the comments.
    struct Result: Sendable {
        var findings: [Finding] = []
        var suppressed = 0

        func adding(_ other: Result) -> Result {
            Result(
                findings: findings + other.findings, suppressed: suppressed + other.suppressed)
        }
    }

    private struct Comment {
        var words: SuppressionWords
        /// The line of the comment's first character.
        var line: Int
        var column: Int
        /// The line that the comment applies to.
        var target: Int
        var isAboveCode: Bool
    }

    private let file: ReviewedFile
    private let lines: LineTexts
    private var comments: [Comment] = []

    init(_ file: ReviewedFile) {
        self.file = file
        lines = LineTexts(file.text)
        for token in file.source.tree.tokens(viewMode: .sourceAccurate) {
            let ownLine = place(token.positionAfterSkippingLeadingTrivia).line
            collect(token.leadingTrivia, at: token.position, above: ownLine)
            collect(token.trailingTrivia, at: token.endPositionBeforeTrailingTrivia, above: nil)
        }
    }

    /// Adds the suppression comments in trivia.
    ///
    /// - Parameter line: The line of the code that follows; nil for comments after code.
    private mutating func collect(_ trivia: Trivia, at start: AbsolutePosition, above line: Int?) {
        var offset = start.utf8Offset
        for piece in trivia {
            defer { offset += piece.sourceLength.utf8Length }
            guard let text = piece.commentText, let words = SuppressionWords(text) else { continue }
            let place = place(AbsolutePosition(utf8Offset: offset))
            comments.append(
                Comment(
                    words: words, line: place.line, column: place.column,
                    target: line ?? place.line, isAboveCode: line != nil))
        }
    }

    private func place(_ position: AbsolutePosition) -> (line: Int, column: Int) {
        lines.place(of: position.utf8Offset)
    }

    /// Applies the comments to the findings of this file.
    ///
    /// - Parameters:
    ///   - known: The names of all rules.
    ///   - off: The names of disabled rules, whose comments can't be checked for use.
    func applied(by findings: [Finding], known: Set<String>, off: Set<String>) -> Result {
        var result = Result()
        var used: Set<Use> = []
        for finding in findings {
            let statement = statementLine(of: finding)
            let hiding = comments.indices.filter { index in
                let comment = comments[index]
                return !comment.words.reason.isEmpty && comment.words.rules.contains(finding.rule)
                    && (comment.target == finding.line
                        || comment.isAboveCode && comment.target == statement)
            }
            if hiding.isEmpty {
                result.findings.append(finding)
            } else {
                result.suppressed += 1
                used.formUnion(hiding.map { Use(comment: $0, rule: finding.rule) })
            }
        }
        for index in comments.indices {
            result.findings += suppressionFindings(
                about: comments[index], known: known,
                useless: { rule in
                    !off.contains(rule) && !used.contains(Use(comment: index, rule: rule))
                })
        }
        result.findings.removeAll { off.contains($0.rule) }
        return result
    }

    private struct Use: Hashable {
        var comment: Int
        var rule: String
    }

    private func suppressionFindings(
        about comment: Comment, known: Set<String>, useless: (String) -> Bool
    ) -> [Finding] {
        func finding(_ rule: BuiltInRule, _ message: String) -> Finding {
            Finding(
                rule: rule.name, severity: rule.severity, path: file.source.path,
                line: comment.line, column: comment.column, message: message)
        }
        let words = comment.words
        var found: [Finding] = []
        if words.rules.isEmpty {
            found.append(finding(.unknownRule, "this comment names no rule, so it hides nothing"))
        }
        for rule in words.rules where !known.contains(rule) {
            let near = SpellingSuggestion.best(for: rule, among: known)
            found.append(
                finding(
                    .unknownRule,
                    "there is no rule “\(rule)”" + (near.map { "; did you mean \($0)?" } ?? "")))
        }
        if words.reason.isEmpty, !words.rules.isEmpty {
            found.append(
                finding(
                    .withoutReason,
                    "this comment gives no reason, so it hides nothing: say why the code is right"))
        } else {
            for rule in words.rules where known.contains(rule) && useless(rule) {
                found.append(finding(.unused, "\(rule) finds nothing here: the comment can go"))
            }
        }
        return found
    }

    /// The line on which the innermost statement or member around a finding begins.
    private func statementLine(of finding: Finding) -> Int? {
        let position = AbsolutePosition(
            utf8Offset: lines.offset(of: finding.line) + finding.column - 1)
        var node = file.source.tree.token(at: position).map { Syntax($0) }
        while let here = node {
            if here.is(CodeBlockItemSyntax.self) || here.is(MemberBlockItemSyntax.self) {
                return place(here.positionAfterSkippingLeadingTrivia).line
            }
            node = here.parent
        }
        return nil
    }
}

/// The content of a suppression comment: `openhealth:ignore RULE[, RULE] reason`.
struct SuppressionWords: Equatable {
    var rules: [String] = []
    var reason = ""

    /// Parses a comment with its slashes or stars. The result is nil for other comments.
    init?(_ comment: String) {
        var text = comment.drop { "/*!".contains($0) }.drop { $0.isWhitespace }
        guard text.hasPrefix(Suppressions.mark) else { return nil }
        text = text.dropFirst(Suppressions.mark.count)
        guard text.first.map({ $0.isWhitespace || $0 == "*" }) ?? true else { return nil }
        if comment.hasPrefix("/*"), text.hasSuffix("*/") { text = text.dropLast(2) }
        text = text.drop { $0.isWhitespace }
        while !text.isEmpty {
            let rule = text.prefix { !$0.isWhitespace && !",:".contains($0) }
            if !rule.isEmpty { rules.append(String(rule)) }
            text = text.dropFirst(rule.count).drop { $0.isWhitespace }
            guard text.first == "," else { break }
            text = text.dropFirst().drop { $0.isWhitespace }
        }
        let spoken = text.drop { !$0.isLetter && !$0.isNumber }
        reason = spoken.isEmpty ? "" : String(text)
    }
}

/// Suggestions for misspelled names.
enum SpellingSuggestion {
    /// Returns the candidate with the smallest edit distance; nil if none is close.
    static func best(for name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().utf8)
        let scored = candidates.map { ($0, edits(wanted, Array($0.utf8))) }
        let best = scored.min { ($0.1, $0.0) < ($1.1, $1.0) }
        return best.flatMap { $0.1 <= max(1, wanted.count / 3) ? $0.0 : nil }
    }

    /// Returns the Levenshtein distance.
    private static func edits(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let substitution = diagonal + (x == y ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substitution, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}

extension TriviaPiece {
    fileprivate var commentText: String? {
        switch self {
        case .lineComment(let text), .blockComment(let text), .docLineComment(let text),
            .docBlockComment(let text):
            text
        default: nil
        }
    }
}
