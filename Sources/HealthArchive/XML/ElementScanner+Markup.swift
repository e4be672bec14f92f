extension ElementScanner {
    /// Scans markup that begins with `<!`: a comment, a CDATA section or the document type.
    /// Anything else is malformed.
    mutating func scanDeclaration() throws(ArchiveError) -> Step {
        var isUndecided = false
        switch compare("<!--") {
        case .equal: return try skipPast("-->", after: 4)
        case .undecided: isUndecided = true
        case .different: break
        }
        switch compare("<![CDATA[") {
        case .equal: return scanCharacterData()
        case .undecided: isUndecided = true
        case .different: break
        }
        switch compare("<!DOCTYPE") {
        case .equal: return try scanDocumentType()
        case .undecided: isUndecided = true
        case .different: break
        }
        return isUndecided ? .incomplete : .malformed
    }

    private mutating func scanCharacterData() -> Step {
        let start = position + 9
        guard let end = find("]]>", from: start) else { return .incomplete }
        position = end + 3
        return end > start ? textEvent(from: start, to: end, rule: .verbatim) : .passed
    }

    /// Scans markup that begins with `<?`, and skips it. Only an XML declaration at the start of
    /// the document is read, for its encoding.
    ///
    /// - Throws: ``ArchiveError``: `unsupportedEncoding` unless the encoding is UTF-8 or US-ASCII,
    ///   and the stream's errors.
    mutating func scanInstruction() throws(ArchiveError) -> Step {
        guard offset == documentStart else { return try skipPast("?>", after: 2) }
        guard let end = find("?>", from: position + 2) else { return .incomplete }
        if compare("<?xml") == .equal,
            classes[Int(buffer[position + 5])] & ByteClass.space != 0
        {
            let text = String(decoding: remainingBytes[..<(end - position)], as: UTF8.self)
            if let encoding = ElementScanner.encoding(inDeclaration: text) {
                let known = ["utf-8", "utf8", "us-ascii", "ascii"]
                guard known.contains(encoding.lowercased()) else {
                    let name = encoding.prefix(40).prefix {
                        $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0))
                    }
                    throw error(.unsupportedEncoding(String(name)))
                }
            }
        }
        position = end + 2
        return .passed
    }

    private static func encoding(inDeclaration text: String) -> Substring? {
        let parts = text.split(
            maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: { $0 == "=" })
        // For example: `<?xml version`, `"1.0" encoding`, `"UTF-8" standalone="yes"`
        for (before, after) in zip(parts, parts.dropFirst()) {
            let name = before.split(whereSeparator: \.isWhitespace).last
            let value = after.drop(while: \.isWhitespace)
            guard name == "encoding", let quote = value.first, quote == "\"" || quote == "'" else {
                continue
            }
            return value.dropFirst().prefix { $0 != quote }
        }
        return nil
    }

    /// Reads and skips the document type. Only forbidden declarations, defects, default values and
    /// the export's version matter.
    ///
    /// - Throws: ``ArchiveError``: `refusedDeclaration`, `documentTypeTooLong`, and the errors of
    ///   reading.
    private mutating func scanDocumentType() throws(ArchiveError) -> Step {
        var type = DocumentType(remainingBytes)
        if type.end == nil, type.refused == nil {
            let mayGrow = limit - position <= ElementScanner.maximumDocumentTypeLength
            if mayGrow, try refill() { return .passed }
            type = DocumentType(unlexed: remainingBytes)
        }
        if let refused = type.refused { throw error(.refusedDeclaration(refused)) }
        guard let end = type.end else {
            if isStreamAtEnd { return .incomplete }
            throw error(.documentTypeTooLong)
        }
        if end > ElementScanner.maximumDocumentTypeLength { throw error(.documentTypeTooLong) }
        if type.isMalformed || hasRoot { count(.malformedDocumentType) }
        if type.hasDefaults { count(.attributeDefault) }
        exportVersion = exportVersion ?? type.exportVersion
        position += end
        return .passed
    }
}
