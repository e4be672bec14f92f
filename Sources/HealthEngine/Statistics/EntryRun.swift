/// Neighbouring samples that take part, as columns to look at while a call lasts.
struct EntryRun {
    let start: UnsafeBufferPointer<Double>
    let end: UnsafeBufferPointer<Double>
    /// In the unit of the answer.
    let value: UnsafeBufferPointer<Double>
    /// Which of ``sources`` each sample has; empty where all have the first.
    let origin: UnsafeBufferPointer<UInt16>
    let sources: UnsafeBufferPointer<Int32>
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
            source: sources[origin.isEmpty ? 0 : Int(origin[index])])
    }
}

extension SampleColumns {
    /// The samples of a range as they stand.
    ///
    /// - Parameter sources: By index of ``origins``.
    func withRun(_ range: Range<Int>, sources: [Int32], _ body: (EntryRun) -> Void) {
        start.withUnsafeBufferPointer { start in
            end.withUnsafeBufferPointer { end in
                value.withUnsafeBufferPointer { value in
                    origin.withUnsafeBufferPointer { origin in
                        sources.withUnsafeBufferPointer { sources in
                            created.withUnsafeBufferPointer { created in
                                let saved = range.clamped(to: 0..<created.count)
                                let own = range.clamped(to: 0..<origin.count)
                                body(
                                    EntryRun(
                                        start: .init(rebasing: start[range]),
                                        end: .init(rebasing: end[range]),
                                        value: .init(rebasing: value[range]),
                                        origin: .init(rebasing: origin[own]), sources: sources,
                                        created: .init(rebasing: created[saved])))
                            }
                        }
                    }
                }
            }
        }
    }

    /// Takes over what of others' samples takes part, its values converted; in the memory that is
    /// there.
    ///
    /// - Parameter desks: What becomes of each origin's samples.
    /// - Returns: How many can't take part, by index of ``origins``; nil if a value is no finite number
    ///   in the other unit.
    mutating func fill(
        from other: SampleColumns, _ range: Range<Int>, _ desks: [Admission.OriginVerdict]
    ) -> [Int]? {
        resize(to: range.count)
        let keepsCreated = other.created.count > 1
        created.removeAll(keepingCapacity: true)
        var left = [Int](repeating: 0, count: desks.count)
        var (kept, areFinite) = (0, true)
        for index in range {
            let place = other.origin.isEmpty ? 0 : Int(other.origin[index])
            guard case .takesPart(_, let conversion) = desks[place] else {
                left[place] += 1
                continue
            }
            // The first one's time of saving still serves: what was left out began earlier.
            if keepsCreated || (index == 0 && !other.created.isEmpty) {
                created.append(other.created[index])
            }
            let converted = conversion(other.value[index])
            areFinite = areFinite && converted.isFinite
            start[kept] = other.start[index]
            end[kept] = other.end[index]
            value[kept] = converted
            origin[kept] = UInt16(truncatingIfNeeded: place)
            kept += 1
        }
        resize(to: kept)
        origins = other.origins
        return areFinite ? left : nil
    }

    private mutating func resize(to count: Int) {
        if self.count < count {
            let more = count - self.count
            start.append(contentsOf: repeatElement(0, count: more))
            end.append(contentsOf: repeatElement(0, count: more))
            value.append(contentsOf: repeatElement(0, count: more))
            origin.append(contentsOf: repeatElement(0, count: more))
        } else if self.count > count {
            start.removeLast(self.count - count)
            end.removeLast(end.count - count)
            value.removeLast(value.count - count)
            origin.removeLast(origin.count - count)
        }
    }
}
