extension ElementScanner {
    /// Records the name of an element whose start tag was read. Throws `nestedTooDeeply` above the
    /// limits on depth and on the length of names.
    mutating func push(_ name: UnsafeBufferPointer<UInt8>) throws(ArchiveError) {
        let start = depth == 0 ? 0 : openEnds[depth - 1]
        guard depth < ElementScanner.maximumDepth,
            name.count <= ElementScanner.openNamesByteCount - start, let bytes = name.baseAddress
        else { throw error(.nestedTooDeeply) }
        (openNames + start).update(from: bytes, count: name.count)
        openEnds[depth] = start + name.count
        depth += 1
    }

    /// Returns the name of the open element at depth `level`.
    private func openName(_ level: Int) -> UnsafeBufferPointer<UInt8> {
        let start = level == 0 ? 0 : openEnds[level - 1]
        return UnsafeBufferPointer(start: openNames + start, count: openEnds[level] - start)
    }

    /// Scans the end tag at ``position``. If elements inside the named one are still open, each
    /// call ends the innermost of them and leaves the tag to be scanned again. A tag without an
    /// open element of its name is skipped.
    mutating func scanEndTag() -> Step {
        let start = UnsafePointer(buffer) + position
        let end = UnsafePointer(buffer) + limit
        var cursor = start + 2
        _ = skipName(&cursor)
        let name = UnsafeBufferPointer(start: start + 2, count: cursor - start - 2)
        while classes[Int(cursor.pointee)] & ByteClass.space != 0 { cursor += 1 }
        if cursor >= end { return .incomplete }
        guard cursor.pointee == UInt8(ascii: ">"), !name.isEmpty else { return .malformed }
        let next = cursor + 1 - UnsafePointer(buffer)
        guard let level = (0..<depth).last(where: { isEqual(openName($0), name) }) else {
            let raw = UnsafeBufferPointer(start: start, count: cursor + 1 - start)
            let kept = UnsafeBufferPointer(
                rebasing: raw.prefix(ElementScanner.maximumFragmentLength))
            let place = offset
            count(.unmatchedEndTag)
            position = next
            return .event(
                .skipped(
                    Fragment(
                        raw: kept, byteCount: Int64(raw.count), offset: place,
                        reason: .unmatchedEndTag)))
        }
        let isImplied = level < depth - 1
        let tag = EndTag(
            name: openName(depth - 1), offset: offset, depth: depth - 1, isImplied: isImplied)
        depth -= 1
        if isImplied { count(.missingEndTag) } else { position = next }
        return .event(.end(tag))
    }

    /// Ends the open elements from depth `level` on, because `tag`, the last event, can't be nested
    /// in them. Returns the tag at its new depth.
    ///
    /// Each element that ends counts as a ``Repair/missingEndTag`` and has no end event.
    mutating func endElements(from level: Int, before tag: Tag) -> Tag {
        for _ in level..<tag.depth { count(.missingEndTag) }
        depth = level
        if !tag.isEmpty {
            let start = level == 0 ? 0 : openEnds[level - 1]
            if let name = tag.name.baseAddress {
                (openNames + start).update(from: name, count: tag.name.count)
            }
            openEnds[level] = start + tag.name.count
            depth += 1
        }
        return Tag(
            name: tag.name, attributes: tag.attributes, raw: tag.raw, offset: tag.offset,
            depth: level, isEmpty: tag.isEmpty)
    }
}
