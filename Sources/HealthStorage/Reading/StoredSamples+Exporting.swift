import HealthEngine

extension StoredSamples {
    /// The samples of the result as export batches, in order: one batch for each run of samples of
    /// one type. Appended members are only in `members`.
    ///
    /// - Complexity: O(samples).
    package var exportedRuns: [ExportedBatch] {
        var members: [Int: [String]] = [:]
        for (member, parent) in batch.parents.sorted(by: { place($0.key) < place($1.key) }) {
            members[parent, default: []].append("\(uuids[member])")
        }
        var runs: [ExportedBatch] = []
        for index in 0..<count {
            let sample = batch.samples[index]
            guard let type = type(code: sample.type) else { continue }
            if runs.last?.type != type {
                let empty = SampleBatch(
                    sources: batch.sources, origins: batch.origins, metadata: batch.metadata)
                runs.append(ExportedBatch(type: type, batch: empty, uuids: [], members: [:]))
            }
            let run = runs.count - 1
            let place = runs[run].batch.samples.count
            runs[run].batch.samples.append(sample)
            runs[run].batch.details[place] = batch.details[index]
            runs[run].uuids.append("\(uuids[index])")
            runs[run].members[place] = members[index]
        }
        return runs
    }

    /// The place of a member among those of its parent, as in exports.
    private func place(_ index: Int) -> (Double, Int32, Int64) {
        let sample = batch.samples[index]
        return (sample.start, sample.type, sample.key)
    }
}
