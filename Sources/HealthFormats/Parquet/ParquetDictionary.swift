import Foundation

/// The distinct values of a column in a row group, in order of appearance.
struct ParquetDictionary {
    private var textIndices: [String: UInt32] = [:]
    private var texts: [String] = []
    private var wordIndices: [UInt64: UInt32] = [:]
    private var words: [UInt64] = []
    private var size = 0
    private var lastIndex: UInt32 = 0

    /// The number of values.
    var count: Int { max(texts.count, words.count) }

    /// Returns the index of a text, which is added if it is new.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The maximum size of the dictionary, in bytes.
    /// - Returns: The index; nil if the text is new and the dictionary is full.
    mutating func index(of text: String, limit: Int) -> UInt32? {
        // Consecutive values are mostly equal, and often the same object in memory. Equality of
        // `String` is that of characters, and Parquet must keep the bytes.
        if !texts.isEmpty, texts[Int(lastIndex)].isIdentical(toBytesOf: text) { return lastIndex }
        if let index = textIndices[text], texts[Int(index)].isIdentical(toBytesOf: text) {
            lastIndex = index
            return index
        }
        guard size + text.utf8.count + 4 <= limit else { return nil }
        size += text.utf8.count + 4
        lastIndex = UInt32(texts.count)
        textIndices[text] = lastIndex
        texts.append(text)
        return lastIndex
    }

    /// Returns the index of a number, which is added if it is new. Numbers with different bits are
    /// different.
    ///
    /// - Parameters:
    ///   - word: The bits of the number.
    ///   - limit: The maximum size of the dictionary, in bytes.
    /// - Returns: The index; nil if the number is new and the dictionary is full.
    mutating func index(of word: UInt64, limit: Int) -> UInt32? {
        if !words.isEmpty, words[Int(lastIndex)] == word { return lastIndex }
        if let index = wordIndices[word] {
            lastIndex = index
            return index
        }
        guard size + 8 <= limit else { return nil }
        size += 8
        lastIndex = UInt32(words.count)
        wordIndices[word] = lastIndex
        words.append(word)
        return lastIndex
    }

    /// Returns the values as a dictionary page contains them.
    func bytes(_ kind: ParquetColumn.Kind) -> [UInt8] {
        var bytes: [UInt8] = []
        for text in texts { ParquetChunk.append(text, to: &bytes) }
        ParquetChunk.append(words, kind, to: &bytes)
        return bytes
    }

    /// The first and the last text in order of their bytes; nil if there are none.
    var textLimits: (first: String, last: String)? {
        guard var first = texts.first else { return nil }
        var last = first
        for text in texts {
            if text.utf8.lexicographicallyPrecedes(first.utf8) { first = text }
            if last.utf8.lexicographicallyPrecedes(text.utf8) { last = text }
        }
        return (first, last)
    }
}

extension String {
    /// Returns whether both texts have the same bytes. "é" in one and in two scalars are equal as
    /// `String`, but have different bytes.
    fileprivate func isIdentical(toBytesOf other: String) -> Bool {
        let result = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { otherBytes in
                guard bytes.count == otherBytes.count else { return false }
                guard let start = bytes.baseAddress, let other = otherBytes.baseAddress else {
                    return true
                }
                return start == other || memcmp(start, other, bytes.count) == 0
            }
        }
        return (result ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
