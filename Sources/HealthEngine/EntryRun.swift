/// Neighbouring samples that take part, as columns to look at while a call lasts.
struct EntryRun {
    let start: UnsafeBufferPointer<Double>
    let end: UnsafeBufferPointer<Double>
    /// In the unit of the answer.
    let value: UnsafeBufferPointer<Double>
    /// Each one's source; empty where all have the one below.
    let sources: UnsafeBufferPointer<Int32>
    let source: Int32
    /// When each was saved; of the first one alone where no two begin together.
    let created: UnsafeBufferPointer<Double>

    var count: Int { start.count }
    var haveStartsOfTheirOwn: Bool { created.count < 2 }

    @inline(__always)
    subscript(index: Int) -> Entry {
        var saved = index < created.count ? created[index] : -.infinity
        if saved.isNaN { saved = -.infinity }
        return Entry(
            start: start[index], end: end[index], value: value[index], created: saved,
            source: sources.isEmpty ? source : sources[index])
    }
}

/// The samples of some columns that take part in a statistic, their values converted. Its memory is
/// used again and again.
struct EntryColumns {
    private var start: [Double] = []
    private var end: [Double] = []
    private var value: [Double] = []
    private var source: [Int32] = []
    private var created: [Double] = []

    init() {}

    /// Takes over what takes part, counting what can't.
    ///
    /// - Returns: Whether all values are finite numbers in the other unit, as runs must be.
    mutating func fill(
        from columns: SampleColumns, _ range: Range<Int>, by admission: Admission,
        into skipped: inout SkippedSamples
    ) -> Bool {
        removeAll()
        let desks = columns.origins.map(admission.desk)
        var unconvertible = [Int](repeating: 0, count: desks.count)
        var areFinite = true
        let keepsCreated = columns.created.count > 1
        for index in range {
            let place = columns.origin.isEmpty ? 0 : Int(columns.origin[index])
            switch desks[place] {
            case .excluded: continue
            case .unconvertible: unconvertible[place] += 1
            case .takesPart(let ownSource, let conversion):
                let converted = conversion(columns.value[index])
                areFinite = areFinite && converted.isFinite
                // The first one's time of saving still serves: what was left out began earlier.
                if keepsCreated || (index == 0 && !columns.created.isEmpty) {
                    created.append(columns.created[index])
                }
                start.append(columns.start[index])
                end.append(columns.end[index])
                value.append(converted)
                source.append(ownSource)
            }
        }
        if areFinite {
            for (place, count) in unconvertible.enumerated() where count > 0 {
                skipped.unconvertible[columns.origins[place], default: 0] += count
            }
        }
        return areFinite
    }

    func withRun(_ body: (EntryRun) -> Void) {
        start.withUnsafeBufferPointer { start in
            end.withUnsafeBufferPointer { end in
                value.withUnsafeBufferPointer { value in
                    source.withUnsafeBufferPointer { sources in
                        created.withUnsafeBufferPointer { created in
                            body(
                                EntryRun(
                                    start: start, end: end, value: value, sources: sources,
                                    source: -1, created: created))
                        }
                    }
                }
            }
        }
    }

    private mutating func removeAll() {
        start.removeAll(keepingCapacity: true)
        end.removeAll(keepingCapacity: true)
        value.removeAll(keepingCapacity: true)
        source.removeAll(keepingCapacity: true)
        created.removeAll(keepingCapacity: true)
    }
}

extension SampleColumns {
    /// The samples of a range as they stand: for those of one source, in the unit of the answer.
    func withRun(_ range: Range<Int>, source: Int32, _ body: (EntryRun) -> Void) {
        let saved = range.clamped(to: 0..<created.count)
        start.withUnsafeBufferPointer { start in
            end.withUnsafeBufferPointer { end in
                value.withUnsafeBufferPointer { value in
                    created.withUnsafeBufferPointer { created in
                        body(
                            EntryRun(
                                start: .init(rebasing: start[range]),
                                end: .init(rebasing: end[range]),
                                value: .init(rebasing: value[range]),
                                sources: .init(start: nil, count: 0), source: source,
                                created: .init(rebasing: created[saved])))
                    }
                }
            }
        }
    }
}
