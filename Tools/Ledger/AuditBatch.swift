/// Broken symbols that share a build.
struct AuditBatch {
    private(set) var cases: [Audit.Case] = []
    /// Whether each symbol is broken behind a condition; otherwise there is one, always broken.
    let isSwitched: Bool

    /// Distributes cases, so that the changes of a batch don't overlap in a file. Batches of one,
    /// which take as long as those of many, come last.
    static func batches(of cases: [Audit.Case]) -> [AuditBatch] {
        var batches: [AuditBatch] = []
        for item in cases where item.mutation.switched != nil {
            if let index = batches.firstIndex(where: { !$0.overlaps(item) }) {
                batches[index].cases.append(item)
            } else {
                batches.append(AuditBatch(cases: [item], isSwitched: true))
            }
        }
        return batches
            + cases.filter { $0.mutation.switched == nil }
            .map { AuditBatch(cases: [$0], isSwitched: false) }
    }

    private func overlaps(_ item: Audit.Case) -> Bool {
        cases.contains { other in
            guard other.mutation.file == item.mutation.file, let a = other.mutation.switched,
                let b = item.mutation.switched
            else { return false }
            if a.isSameText(as: b) { return false }
            return a.offset <= b.offset + b.length && b.offset <= a.offset + a.length
        }
    }

    /// Returns the batch without some symbols.
    func without(_ symbols: Set<String>) -> AuditBatch {
        AuditBatch(
            cases: cases.filter { !symbols.contains($0.symbol) }, isSwitched: isSwitched)
    }

    /// The paths of the changed files.
    var files: Set<String> { Set(cases.map(\.mutation.file)) }

    /// Returns the text of a file with the batch's changes, and the lines of each symbol's change.
    ///
    /// - Parameters:
    ///   - text: The whole text of the original file.
    ///   - file: The path of the file.
    func applied(
        to text: String, of file: String
    ) -> (text: String, lines: [(symbol: String, lines: ClosedRange<Int>)]) {
        var changes: [(symbol: String, offset: Int, length: Int, replacement: String)] = []
        for item in cases where item.mutation.file == file {
            if isSwitched, let change = item.mutation.switched {
                changes.append((item.symbol, change.offset, change.length, change.replacement))
            } else {
                let change = item.mutation
                changes.append((item.symbol, change.offset, change.length, change.replacement))
            }
        }
        let bytes = Array(text.utf8)
        var (result, position, line) = ([UInt8](), 0, 1)
        var lines: [(symbol: String, lines: ClosedRange<Int>)] = []
        func append(_ part: some Sequence<UInt8>) {
            for byte in part {
                if byte == 10 { line += 1 }
                result.append(byte)
            }
        }
        for change in changes.sorted(by: { ($0.offset, $0.symbol) < ($1.offset, $1.symbol) }) {
            // The cases of an enumeration have one change in common.
            if change.offset < position || change.offset == position && change.length == 0,
                let last = lines.last?.lines
            {
                lines.append((change.symbol, last))
                continue
            }
            append(bytes[position..<change.offset])
            let first = line
            append(change.replacement.utf8)
            lines.append((change.symbol, first...line))
            position = change.offset + change.length
        }
        append(bytes[position...])
        return (String(decoding: result, as: UTF8.self), lines)
    }
}
