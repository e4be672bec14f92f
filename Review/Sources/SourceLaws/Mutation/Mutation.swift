import Foundation
import SwiftParser
import SwiftSyntax

/// A change to a file that breaks one symbol.
public struct Mutation: Codable, Sendable, Equatable {
    /// The symbol, written as in Documentation/Compatibility.md: "HKQuantity.doubleValue(for:)".
    public let symbol: String
    /// The file's path from the repository's root.
    public let file: String
    /// The UTF-8 offset of the first replaced byte.
    public let offset: Int
    /// The number of replaced bytes; 0 if the text is only inserted.
    public let length: Int
    /// The text that replaces these bytes.
    public let replacement: String
    /// A description of the change, for the report.
    public let summary: String
    /// The same change behind a condition; nil if there is no such form.
    public let switched: Switched?

    /// A change that takes effect if `_isBroken(key)`, which stands in the replacement, is true.
    /// Several symbols can have the same change with different keys.
    public struct Switched: Codable, Sendable, Equatable {
        /// The UTF-8 offset of the first replaced byte.
        public let offset: Int
        /// The number of replaced bytes; 0 if the text is only inserted.
        public let length: Int
        /// The text that replaces these bytes.
        public let replacement: String
        /// The text that selects the change.
        public let key: String
    }

    /// Returns the file's text with the change.
    ///
    /// - Parameter text: The unchanged text of the file.
    /// - Returns: The text with the replacement.
    /// - Complexity: O(n) in the length of the text.
    public func applied(to text: String) -> String {
        let bytes = Array(text.utf8)
        return String(
            decoding: bytes[..<offset] + Array(replacement.utf8) + bytes[(offset + length)...],
            as: UTF8.self)
    }
}

/// Source files whose symbols can be broken one at a time.
public struct MutableSource: Sendable {
    private let texts: [String: String]
    private let members: [MemberKey: [Member]]

    /// Parses the files.
    ///
    /// - Parameter texts: The texts of the files, by path.
    /// - Complexity: O(n) in the length of the texts.
    public init(texts: [String: String]) {
        self.texts = texts
        var members: [MemberKey: [Member]] = [:]
        for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
            let search = MemberSearch(path: path)
            search.walk(Parser.parse(source: text))
            for member in search.members { members[member.key, default: []].append(member) }
        }
        self.members = members
    }

    /// Reads the Swift files of a folder and its subfolders.
    ///
    /// - Parameters:
    ///   - root: The repository's root.
    ///   - folder: The folder's path relative to the root.
    /// - Throws: ``SourceTreeError`` if the folder has no Swift files, or a file can't be read as
    ///   UTF-8.
    public init(root: String, folder: String) throws(SourceTreeError) {
        let base = URL(filePath: root, directoryHint: .isDirectory)
        let walk = FileManager.default.enumerator(atPath: base.appending(path: folder).path())
        var texts: [String: String] = [:]
        while let path = walk?.nextObject() as? String {
            guard path.hasSuffix(".swift") else { continue }
            let file = "\(folder)/\(path)"
            guard let text = try? String(contentsOf: base.appending(path: file), encoding: .utf8)
            else { throw .unreadable(file) }
            texts[file] = text
        }
        guard !texts.isEmpty else { throw .noSource("\(root)/\(folder)") }
        self.init(texts: texts)
    }

    /// Returns a change that breaks a symbol. The same files always yield the same change.
    ///
    /// - Parameter symbol: The symbol, written as in Documentation/Compatibility.md.
    /// - Returns: The change; nil if the symbol is unknown or none of the known changes applies. It
    ///   is nil for types, and for protocol requirements without a default implementation.
    /// - Complexity: O(n) in the length of the file, for each declaration that is tried.
    public func mutation(of symbol: String) -> Mutation? {
        for member in members[MemberKey(symbol: symbol)] ?? [] {
            guard let edit = member.edit, let text = texts[member.path] else { continue }
            let mutation = Mutation(
                symbol: symbol, file: member.path, offset: edit.range.lowerBound.utf8Offset,
                length: edit.range.upperBound.utf8Offset - edit.range.lowerBound.utf8Offset,
                replacement: edit.replacement, summary: edit.summary,
                switched: edit.switched.map {
                    Mutation.Switched(
                        offset: $0.range.lowerBound.utf8Offset,
                        length: $0.range.upperBound.utf8Offset - $0.range.lowerBound.utf8Offset,
                        replacement: $0.replacement.replacing(
                            SwitchedChange.condition, with: SwitchedChange.condition(of: symbol)),
                        key: $0.key ?? symbol)
                })
            // A test that fails because the file doesn't parse would prove nothing.
            if !Parser.parse(source: mutation.applied(to: text)).hasError { return mutation }
        }
        return nil
    }
}
