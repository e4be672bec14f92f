import Foundation

/// A citation of a rule in a document of Documentation/, like "Semantics §5.4".
struct Citation: Hashable {
    /// A document whose rules have numbers and anchors.
    enum Document: String, CaseIterable {
        case semantics = "Semantics"
        case exportFormat = "ExportFormat"

        var path: String { "Documentation/\(rawValue).md" }
    }

    let document: Document
    /// The section: "5.4", or "10.7c" for a lettered clause.
    let section: String
    /// The line, counted from 1.
    let line: Int
}

extension SourceFile {
    /// The citations: every section sign with a number, and the end of a range such as §5.4–5.5.
    ///
    /// The document is the last one named before the sign on the same line. Without a name it is
    /// Semantics, or ExportFormat inside ExportFormat.md. Sections of other standards are written
    /// without the sign: "XML 1.0, 2.11".
    var citations: [Citation] {
        let unnamed: Citation.Document =
            path == Citation.Document.exportFormat.path ? .exportFormat : .semantics
        return lines(with: ["\u{A7}"]).flatMap { number, line -> [Citation] in
            var citations: [Citation] = []
            var document = unnamed
            for (position, piece) in line.components(separatedBy: "\u{A7}").enumerated() {
                if position > 0 {
                    citations += piece.leadingSections.map {
                        Citation(document: document, section: $0, line: number)
                    }
                }
                document = piece.lastNamedDocument ?? document
            }
            return citations
        }
    }

    /// Sections with an explicit anchor: "5.4" for `<a id="s5.4"></a>`.
    var anchoredSections: [String] {
        lines.flatMap { line in
            line.components(separatedBy: "<a id=\"s").dropFirst().map { rest in
                String(rest.prefix { $0 != "\"" })
            }
        }
    }

    /// Sections that links inside this document refer to: "5.4" for `(#s5.4)`.
    var linkedSections: [String] {
        lines.flatMap { line in
            line.components(separatedBy: "(#s").dropFirst().map { rest in
                String(rest.prefix { $0 != ")" })
            }
        }
    }
}

extension String {
    /// The section at the start, and the end of the range if an en dash follows.
    fileprivate var leadingSections: [String] {
        guard let first = leadingSection else { return [] }
        let rest = dropFirst(first.count)
        guard rest.first == "–", let last = String(rest.dropFirst()).leadingSection else {
            return [first]
        }
        return [first, last]
    }

    /// The section number at the start: "1.7" for "1.7. Then", "10.7c" for "10.7c)"; nil without
    /// one.
    fileprivate var leadingSection: String? {
        var section = String(prefix { "0123456789.".contains($0) })
        while section.last == "." { section.removeLast() }
        guard section.first?.isNumber == true else { return nil }
        let rest = dropFirst(section.count)
        if let letter = rest.first, "abcde".contains(letter),
            rest.dropFirst().first?.isLetter != true
        {
            section.append(letter)
        }
        return section
    }

    /// The last document named in this text.
    fileprivate var lastNamedDocument: Citation.Document? {
        Citation.Document.allCases
            .compactMap { document in
                ranges(of: document.rawValue).last.map { (document, $0.lowerBound) }
            }
            .max { $0.1 < $1.1 }?.0
    }
}
