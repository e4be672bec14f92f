// The invariants of attachments, for ``SampleStore/check()``. They read the lengths of the chunks,
// not their bytes.
extension SampleStore {
    static let attachmentInvariants: [(String, String)] = [
        (
            "attachments have a UUID, a name and a type",
            """
            SELECT count(*) FROM attachment
            WHERE length(uuid) <> 16 OR length(name) = 0 OR length(content_type) = 0 OR size < 0
            """
        ),
        (
            "attachments have all their bytes",
            """
            SELECT count(*) FROM attachment a WHERE staged IS NULL AND (
                size <> (SELECT ifnull(sum(length(content)), 0) FROM attachment_chunk
                         WHERE attachment = a.id)
                OR (SELECT ifnull(max(position) + 1, 0) FROM attachment_chunk
                    WHERE attachment = a.id)
                    <> (size + \(StoredAttachment.chunkSize - 1)) / \(StoredAttachment.chunkSize))
            """
        ),
        (
            "chunks of attachments are full, except the last one",
            """
            SELECT count(*) FROM attachment_chunk c JOIN attachment a ON a.id = c.attachment
            WHERE staged IS NULL AND (position < 0
                OR length(content) <> min(\(StoredAttachment.chunkSize),
                    size - position * \(StoredAttachment.chunkSize)))
            """
        ),
    ]
}
