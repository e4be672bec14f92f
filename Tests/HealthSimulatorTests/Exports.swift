import HealthArchive
import HealthEngine
import HealthSimulator

extension Simulation {
    var header: ExportHeader {
        ExportHeader(
            locale: locale, exportDate: exportDate, offset: exportOffset,
            characteristics: characteristics)
    }

    /// Returns the whole `export.xml` with its tally.
    func exported() -> (bytes: [UInt8], tally: ExportTally) {
        var bytes: [UInt8] = []
        var writer = ExportWriter<Never>(
            header: header, routes: { _, _ in }, sink: { bytes.append(contentsOf: $0) })
        for batch in batches { writer.write(batch) }
        let tally = writer.finish()
        return (bytes, tally)
    }

    /// Returns an FNV-1a hash of `export.xml`, and its length.
    func fingerprint() -> (hash: UInt64, count: Int) {
        var hash = FNV1a()
        var count = 0
        var writer = ExportWriter<Never>(header: header) { bytes in
            hash.add(bytes)
            count += bytes.count
        }
        for batch in batches { writer.write(batch) }
        _ = writer.finish()
        return (hash.value, count)
    }

    /// Returns all samples of one type in one batch.
    func samples(of name: String) -> SampleBatch {
        let code = Catalogue.type(named: name)?.code
        var gathered = SampleBatch()
        for batch in batches where batch.samples.contains(where: { $0.type == code }) {
            let origins = Int32(gathered.origins.count)
            let metadata = Int32(gathered.metadata.count)
            gathered.sources = batch.sources
            gathered.origins += batch.origins
            gathered.metadata += batch.metadata
            for var sample in batch.samples where sample.type == code {
                sample.origin += origins
                if sample.metadata >= 0 { sample.metadata += metadata }
                gathered.samples.append(sample)
            }
        }
        gathered.sort()
        return gathered
    }
}
