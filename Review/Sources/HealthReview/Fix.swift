import SwiftSyntax

/// A correction of a finding that needs no decision: texts to replace in the finding's file.
public struct Fix: Sendable, Hashable {
    /// One replaced text.
    public struct Edit: Sendable, Hashable {
        /// The place of the first replaced byte, counted from 0 in UTF-8 after a byte order mark.
        public var offset: Int
        /// The number of replaced bytes; 0 to insert.
        public var length: Int
        /// The new text.
        public var replacement: String

        public init(offset: Int, length: Int, replacement: String) {
            self.offset = offset
            self.length = length
            self.replacement = replacement
        }
    }

    /// What the correction does, in one line without a full stop.
    public var summary: String
    /// The edits, which don't overlap.
    public var edits: [Edit]

    public init(summary: String, edits: [Edit]) {
        self.summary = summary
        self.edits = edits
    }
}

extension Fix {
    /// Replaces a node's text, without the comments and spaces around it.
    init(_ summary: String, replacing node: some SyntaxProtocol, with text: String) {
        let edit = Edit(
            offset: node.positionAfterSkippingLeadingTrivia.utf8Offset,
            length: node.trimmedLength.utf8Length, replacement: text)
        self.init(summary: summary, edits: [edit])
    }

    /// Inserts a text before a node's first token.
    init(_ summary: String, inserting text: String, before node: some SyntaxProtocol) {
        let edit = Edit(
            offset: node.positionAfterSkippingLeadingTrivia.utf8Offset, length: 0,
            replacement: text)
        self.init(summary: summary, edits: [edit])
    }

    /// Returns a text with several corrections. One that overlaps an earlier one is left out, unless
    /// it is the same.
    ///
    /// - Returns: The text, and for each correction whether it was made.
    /// - Complexity: O(n + edits · log edits).
    static func apply(_ fixes: [Fix], to text: String) -> (text: String, isMade: [Bool]) {
        let bytes = Array(text.utf8)
        var taken: [Edit] = []
        let isMade = fixes.map { fix in
            let fits = fix.edits.allSatisfy { edit in
                edit.offset >= 0 && edit.length >= 0 && edit.offset + edit.length <= bytes.count
                    && !taken.contains { $0 != edit && $0.overlaps(edit) }
            }
            // Two findings can have the same cause and so the same edit.
            if fits { taken += fix.edits.filter { !taken.contains($0) } }
            return fits
        }
        var corrected: [UInt8] = []
        var place = 0
        for edit in taken.sorted(by: { $0.offset < $1.offset }) {
            corrected += bytes[place..<edit.offset]
            corrected += Array(edit.replacement.utf8)
            place = edit.offset + edit.length
        }
        corrected += bytes[place...]
        return (String(decoding: corrected, as: UTF8.self), isMade)
    }
}

extension Fix.Edit {
    fileprivate func overlaps(_ other: Fix.Edit) -> Bool {
        offset == other.offset
            || offset < other.offset + other.length && other.offset < offset + length
    }
}

extension ExprSyntax {
    /// Whether the expression is a plain text that stands where it is used: an argument, or the
    /// value of `formatter.dateFormat = …`. A text that a name holds may have other uses, and one
    /// with escapes isn't what it looks like.
    var isOnlyUsedHere: Bool {
        guard !trimmedDescription.contains("\\") else { return false }
        if parent?.is(LabeledExprSyntax.self) == true {
            return parent?.parent?.parent?.is(FunctionCallExprSyntax.self) == true
        }
        let sequence = parent?.parent?.as(SequenceExprSyntax.self)
        return sequence.flatMap { Assignment($0) }?.target.is(MemberAccessExprSyntax.self) ?? false
    }
}
