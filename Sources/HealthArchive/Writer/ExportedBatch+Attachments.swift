import HealthEngine
import HealthStorage

extension ExportedBatch {
    /// The batch, in which details name what programs have attached to their samples, if they are
    /// of a kind that can (`SampleDetail.attachmentIdentifiers`).
    var namingAttachments: SampleBatch {
        var batch = batch
        for (index, attachments) in attachments {
            var known = batch.details[index]?.attachmentIdentifiers ?? []
            let new = attachments.map { "\($0.identifier)" }
            known += new.filter { !known.contains($0) }
            batch.details[index]?.attachmentIdentifiers = known
        }
        return batch
    }

    /// Returns the attachments of programs that the details of a batch name.
    func attachmentsNamed(in batch: SampleBatch) -> [SampleUUID] {
        attachments.flatMap { index, attachments in
            let named = batch.details[index]?.attachmentIdentifiers ?? []
            return attachments.map(\.identifier).filter { named.contains("\($0)") }
        }
    }
}
