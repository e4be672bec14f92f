/// Adjacent samples, all of which are used, as pointers into columns. Valid only during the call
/// that passes them.
struct EntryRun {
    let start: UnsafeBufferPointer<Double>
    let end: UnsafeBufferPointer<Double>
    /// The values in the canonical unit.
    let value: UnsafeBufferPointer<Double>
    /// The index of each sample's origin, for ``sources``; empty if all samples have the first one.
    let origin: UnsafeBufferPointer<UInt16>
    /// The source of each origin.
    let sources: UnsafeBufferPointer<Int32>
    /// The creation dates in reference seconds. If no two samples have the same start, it has at
    /// most the date of the first sample.
    let created: UnsafeBufferPointer<Double>

    var count: Int { start.count }
    /// Whether no two samples have the same start.
    var haveDistinctStarts: Bool { created.count < 2 }

    @inline(__always)
    subscript(index: Int) -> MergeEntry {
        var saved = index < created.count ? created[index] : -.infinity
        if saved.isNaN { saved = -.infinity }
        return MergeEntry(
            start: start[index], end: end[index], value: value[index], created: saved,
            source: sources[origin.isEmpty ? 0 : Int(origin[index])])
    }
}

extension SampleColumns {
    /// Calls `body` with the samples of a range, without conversion.
    ///
    /// - Parameters:
    ///   - range: The range of samples.
    ///   - sources: The source of each origin, by index of ``origins``.
    ///   - body: Called once. The samples are valid only during the call.
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

    /// Replaces the samples with those samples of other columns that are used in a statistic, with
    /// converted values. Allocated memory is reused.
    ///
    /// - Parameters:
    ///   - other: The columns to copy from.
    ///   - range: The range of samples to copy.
    ///   - decisions: Whether the samples of each origin are used, by index of ``origins``.
    /// - Returns: The number of samples that are not used, by index of ``origins``; nil if a
    ///   converted value is not finite.
    mutating func fill(
        from other: SampleColumns, _ range: Range<Int>,
        _ decisions: [SampleEligibility.OriginDecision]
    ) -> [Int]? {
        resize(to: range.count)
        let keepsCreated = other.created.count > 1
        created.removeAll(keepingCapacity: true)
        var skippedCounts = [Int](repeating: 0, count: decisions.count)
        var (usedCount, areFinite) = (0, true)
        for index in range {
            let originIndex = other.origin.isEmpty ? 0 : Int(other.origin[index])
            guard case .eligible(_, let conversion) = decisions[originIndex] else {
                skippedCounts[originIndex] += 1
                continue
            }
            // If only the date of sample 0 is known, it is kept if that sample is used. Sample 0 is
            // then also the first of the copied samples.
            if keepsCreated || (index == 0 && !other.created.isEmpty) {
                created.append(other.created[index])
            }
            let converted = conversion(other.value[index])
            areFinite = areFinite && converted.isFinite
            start[usedCount] = other.start[index]
            end[usedCount] = other.end[index]
            value[usedCount] = converted
            origin[usedCount] = UInt16(truncatingIfNeeded: originIndex)
            usedCount += 1
        }
        resize(to: usedCount)
        origins = other.origins
        return areFinite ? skippedCounts : nil
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
