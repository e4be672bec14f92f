import Foundation

extension ReviewOutcome {
    /// Corrects the findings that have a correction, and removes them from the findings.
    ///
    /// A file is written whole or not at all. It is left as it is if it has a syntax error, isn't
    /// UTF-8 throughout, would have a syntax error afterwards, can't be written, or has changed since
    /// it was reviewed.
    ///
    /// - Returns: What was corrected and what couldn't be, for standard error: one line for each
    ///   finding or file.
    public mutating func correct() -> String {
        var message = ""
        let broken = Set(malformed.map(\.path))
        let correctable = Dictionary(grouping: findings.filter { $0.fix != nil }, by: \.path)
        for (path, found) in correctable.sorted(by: { $0.key < $1.key })
        where !broken.contains(path) {
            let made: [Finding]
            do {
                made = try correct(path, found.sorted())
            } catch {
                message += error.description + "\n"
                continue
            }
            findings.removeAll { made.contains($0) }
            for finding in made {
                let summary = finding.fix?.summary ?? ""
                message += "\(path.printable):\(finding.line): corrected: \(summary.printable)\n"
            }
        }
        return message.isEmpty ? "Nothing to correct mechanically.\n" : message
    }

    /// Corrects one file.
    ///
    /// - Returns: The corrected findings.
    private func correct(_ path: String, _ found: [Finding]) throws(ReviewError) -> [Finding] {
        guard let file = SourceTree.canonical(absolutes[path] ?? path),
            let read = try? FileText.swift(at: file)
        else { throw .file(path, reason: "can't be read again") }
        guard read.text.utf8.elementsEqual(reviewed[path]?.utf8 ?? "".utf8) else {
            throw .file(path, reason: "has changed during the review; nothing was corrected in it")
        }
        let (text, isMade) = Fix.apply(found.compactMap(\.fix), to: read.text)
        guard isMade.contains(true), !SourceFile(path: path, text: text).isMalformed else {
            return []
        }
        do {
            let url = URL(filePath: file)
            let mark = Data([0xEF, 0xBB, 0xBF])
            let access = try FileManager.default.attributesOfItem(atPath: file)
            let hasMark = try Data(contentsOf: url).starts(with: mark)
            try ((hasMark ? mark : Data()) + Data(text.utf8)).write(to: url, options: .atomic)
            // An atomic write makes a new file.
            if let permissions = access[.posixPermissions] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: permissions], ofItemAtPath: file)
            }
        } catch {
            throw .file(path, reason: "can't be written")
        }
        return zip(found, isMade).filter(\.1).map(\.0)
    }
}
