#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ElementScanner {
    /// The state of scanning a start tag.
    private struct Progress {
        var nameEnd: UnsafePointer<UInt8>
        var attributeCount = 0
        /// Whether a name or a value has bytes that ``inspect(_:attributeCount:)`` must check.
        var isIrregular: Bool
        /// Whether two attributes may have the same name.
        var mayRepeat = false
        /// A bit set of the attributes' keys, by their low six bits.
        var keys: UInt64 = 0
        var isEmpty = false

        @inline(__always)
        mutating func add(_ attribute: Attribute) {
            let bit: UInt64 = 1 << UInt64(attribute.key & 63)
            mayRepeat = mayRepeat || keys & bit != 0
            keys |= bit
            isIrregular =
                isIrregular || attribute.needsDecoding || !attribute.isNameRegular
                || !attribute.isNameASCII
            attributeCount += 1
        }
    }

    /// Scans the start tag at ``position``. Returns its event, or that it is incomplete or
    /// malformed.
    ///
    /// - Throws: ``ArchiveError``: `tooManyAttributes` or `nestedTooDeeply`.
    @inline(__always)
    mutating func scanStartTag() throws(ArchiveError) -> Step {
        let start = UnsafePointer(buffer) + position
        let end = UnsafePointer(buffer) + limit
        var cursor = start + 1
        let nameClasses = skipName(&cursor)
        if cursor >= end { return .incomplete }
        var progress = Progress(
            nameEnd: cursor, isIrregular: nameClasses & ByteClass.notASCII != 0)
        while true {
            let gap = cursor
            while classes[Int(cursor.pointee)] & ByteClass.space != 0 { cursor += 1 }
            if cursor >= end { return .incomplete }
            if cursor.pointee == UInt8(ascii: ">") {
                return try startEvent(start, end: cursor + 1, progress)
            }
            if cursor.pointee == UInt8(ascii: "/") {
                if cursor + 1 >= end { return .incomplete }
                guard cursor[1] == UInt8(ascii: ">") else { return .malformed }
                progress.isEmpty = true
                return try startEvent(start, end: cursor + 2, progress)
            }
            if cursor == gap { return .malformed }
            guard progress.attributeCount < ElementScanner.maximumAttributes else {
                throw error(.tooManyAttributes)
            }
            switch scanAttribute(&cursor, end: end) {
            case .found(let attribute):
                attributes[progress.attributeCount] = attribute
                progress.add(attribute)
            case .incomplete: return .incomplete
            case .malformed: return .malformed
            }
        }
    }

    private enum AttributeStep {
        case found(Attribute)
        case incomplete
        case malformed
    }

    /// Scans the attribute at `cursor` and moves `cursor` past its closing quote. `needsDecoding`
    /// is provisional: it is true if the value has a byte that ``ByteWord/special(_:)`` marks.
    @inline(__always)
    private func scanAttribute(
        _ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
    ) -> AttributeStep {
        let nameStart = cursor
        var isRegular = classes[Int(cursor.pointee)] & ByteClass.nameStart != 0
        let nameClasses = skipName(&cursor)
        var nameEnd = cursor
        var isASCII = nameClasses & ByteClass.notASCII == 0
        if cursor.pointee != UInt8(ascii: "=") {
            switch skipIrregularName(&cursor, nameEnd: &nameEnd, end: end) {
            case .incomplete: return .incomplete
            case .malformed: return .malformed
            case .regular: break
            case .irregular:
                isRegular = false
                isASCII = false
            }
        }
        if nameEnd == nameStart { return .malformed }
        cursor += 1
        while classes[Int(cursor.pointee)] & ByteClass.space != 0 { cursor += 1 }
        if cursor >= end { return .incomplete }
        let quote = cursor.pointee
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return .malformed }
        let valueStart = cursor + 1
        let (valueEnd, special, hasLessThan) = findQuote(quote, from: valueStart, end: end)
        if hasLessThan, containsLineOfMarkup(valueStart, valueEnd ?? end) { return .malformed }
        guard let valueEnd else { return .incomplete }
        cursor = valueEnd + 1
        return .found(
            Attribute(
                nameStart: nameStart, valueStart: valueStart,
                nameCount: Int32(truncatingIfNeeded: nameEnd - nameStart),
                valueCount: Int32(truncatingIfNeeded: valueEnd - valueStart),
                key: key(of: nameStart, count: nameEnd - nameStart), isNameRegular: isRegular,
                isNameASCII: isASCII, needsDecoding: special))
    }

    /// Moves `cursor` past the bytes of a name and returns the union of their classes.
    @inline(__always)
    func skipName(_ cursor: inout UnsafePointer<UInt8>) -> UInt8 {
        var met: UInt8 = 0
        while true {
            let found = classes[Int(cursor.pointee)]
            if found & ByteClass.name == 0 { return met }
            met |= found
            cursor += 1
        }
    }

    private enum NameStep { case regular, irregular, incomplete, malformed }

    /// Moves `cursor` to the `=` if other bytes than those of a name precede it. Returns `regular`
    /// if these are only white space, `irregular` otherwise, and then moves `nameEnd` past the last
    /// of them that isn't white space.
    private func skipIrregularName(
        _ cursor: inout UnsafePointer<UInt8>, nameEnd: inout UnsafePointer<UInt8>,
        end: UnsafePointer<UInt8>
    ) -> NameStep {
        var step = NameStep.regular
        while true {
            if cursor >= end { return .incomplete }
            let byte = cursor.pointee
            switch byte {
            case UInt8(ascii: "="): return step
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"):
                return .malformed
            case _ where classes[Int(byte)] & ByteClass.space != 0: break
            case 0..<0x20: return .malformed
            default:
                step = .irregular
                nameEnd = cursor + 1
            }
            cursor += 1
        }
    }

    /// Finds the first `quote` at or after `start`; nil if the buffer ends before. Reports whether
    /// a byte that ``ByteWord/special(_:)`` marks precedes it, and whether a `<` does.
    @inline(__always)
    private func findQuote(
        _ quote: UInt8, from start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
    ) -> (end: UnsafePointer<UInt8>?, special: Bool, hasLessThan: Bool) {
        let quotes = ByteWord.ones &* UInt64(quote)
        let lessThans = ByteWord.ones &* UInt64(UInt8(ascii: "<"))
        var cursor = start
        var special: UInt64 = 0
        var less: UInt64 = 0
        while cursor < end {
            let word = ByteWord.load(cursor)
            let hit = ByteWord.equal(word, quotes)
            if hit != 0 {
                let bit = hit.trailingZeroBitCount
                let before: UInt64 = (1 << UInt64(bit)) - 1
                special |= ByteWord.special(word) & before
                less |= ByteWord.equal(word, lessThans) & before
                return (cursor + bit >> 3, special != 0, less != 0)
            }
            special |= ByteWord.special(word)
            less |= ByteWord.equal(word, lessThans)
            cursor += 8
        }
        return (nil, special != 0, less != 0)
    }

    /// Returns whether a later line of the value begins with `<`, after white space. Then the
    /// closing quote is taken to be missing, and the quote that was found to open another value.
    private func containsLineOfMarkup(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> Bool {
        var isLineStart = false
        var cursor = start
        while cursor < end {
            let byte = cursor.pointee
            if byte == 0x0A {
                isLineStart = true
            } else if isLineStart, byte == UInt8(ascii: "<") {
                return true
            } else if classes[Int(byte)] & ByteClass.space == 0 {
                isLineStart = false
            }
            cursor += 1
        }
        return false
    }

    /// A hash of the length and the first and last eight bytes of a name; of all bytes if it is
    /// shorter.
    @inline(__always)
    private func key(of name: UnsafePointer<UInt8>, count: Int) -> UInt32 {
        var first = ByteWord.load(name)
        var last: UInt64 = 0
        if count >= 8 {
            last = ByteWord.load(name + count - 8)
        } else {
            first &= (1 << UInt64(count * 8)) - 1
        }
        let mixed = (first ^ UInt64(count)) &* 0x9E37_79B9_7F4A_7C15 ^ last &* 0xC2B2_AE3D_27D4_EB4F
        return UInt32(truncatingIfNeeded: mixed >> 32)
    }

    /// Opens the element of a complete tag and returns the tag's event. Repairs are counted only
    /// here, since an incomplete tag is scanned again.
    @inline(__always)
    private mutating func startEvent(
        _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, _ progress: Progress
    ) throws(ArchiveError) -> Step {
        let count = progress.attributeCount
        let name = UnsafeBufferPointer(start: start + 1, count: progress.nameEnd - start - 1)
        let tag = Tag(
            name: name, attributes: UnsafeBufferPointer(start: attributes, count: count),
            raw: UnsafeBufferPointer(start: start, count: end - start), offset: offset,
            depth: depth, isEmpty: progress.isEmpty)
        if !tag.isEmpty { try push(name) }
        if tag.depth == 0 {
            if hasRoot { self.count(.contentOutsideRoot) }
            hasRoot = true
        }
        if progress.isIrregular { inspect(name, attributeCount: count) }
        if progress.mayRepeat { countDuplicates(count) }
        position = end - UnsafePointer(buffer)
        return .event(.start(tag))
    }

    /// Counts the repairs in the names and values of a tag, and determines which values need
    /// decoding.
    private mutating func inspect(_ name: UnsafeBufferPointer<UInt8>, attributeCount: Int) {
        _ = TextRepair.decode(name, .verbatim, to: nil, counting: &repairs)
        for index in 0..<attributeCount {
            let attribute = attributes[index]
            if !attribute.isNameRegular { count(.irregularAttributeName) }
            if !attribute.isNameASCII {
                _ = TextRepair.decode(attribute.name, .verbatim, to: nil, counting: &repairs)
            }
            if attribute.needsDecoding {
                attributes[index].needsDecoding = isChanged(attribute.value)
            }
        }
    }

    /// Returns whether a value differs from its decoded text, and counts its repairs.
    private mutating func isChanged(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        if let known = inspected.isChanged(value) { return known }
        var found: [Repair: Int] = [:]
        let isChanged = TextRepair.decode(value, .attribute, to: nil, counting: &found).isChanged
        if found.isEmpty {
            inspected.insert(value, isChanged: isChanged)
        } else {
            repairs.merge(found, uniquingKeysWith: +)
        }
        return isChanged
    }

    private mutating func countDuplicates(_ attributeCount: Int) {
        // Above 64 attributes, a set of keys avoids quadratic time.
        var keys: Set<UInt32> = []
        for index in 1..<attributeCount {
            if attributeCount > 64 {
                if index == 1 { keys.insert(attributes[0].key) }
                guard !keys.insert(attributes[index].key).inserted else { continue }
            }
            let attribute = attributes[index]
            for earlier in 0..<index where attributes[earlier].key == attribute.key {
                if isEqual(attributes[earlier].name, attribute.name) {
                    count(.duplicateAttribute)
                    break
                }
            }
        }
    }

    func isEqual(
        _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard one.count == other.count, let first = one.baseAddress,
            let second = other.baseAddress
        else { return one.count == other.count }
        return memcmp(first, second, one.count) == 0
    }
}
