/// Quoting of words for a shell.
package enum ShellWord {
    /// Returns a word, quoted if necessary: `Watch`, `'Anna’s Apple Watch'`. In a quoted word,
    /// unprintable characters are replaced; see ``PrintableText/text(_:)``.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || "./-_+:@".utf8.contains($0)
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + PrintableText.text(word).replacing("'", with: "'\\''") + "'"
    }
}
