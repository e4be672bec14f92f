import HealthEngine

extension ExportSource {
    /// Increased when a version of this package reads more of an export than the one before, so
    /// that an export that was imported before is read again.
    private static let readerVersion = 1

    /// Returns what identifies the content of a zip: a digest of the names, sizes and CRC-32
    /// checksums of its files, which are in its directory, and of the name of the XML.
    ///
    /// - Returns: Hexadecimal digits; nil for a folder or a file, which have no checksums.
    /// - Throws: ``ArchiveError`` if the zip can't be read.
    /// - Complexity: O(*f*) for *f* files in the zip.
    func digest() throws(ArchiveError) -> String? {
        guard let archive = try archive() else { return nil }
        var digest = SHA256()
        func add(_ text: String, _ numbers: Int64...) {
            digest.update(Array("\(text.utf8.count):\(text) \(numbers)\n".utf8))
        }
        add(name, Int64(ExportSource.readerVersion))
        for entry in archive.entries {
            add(entry.path, entry.byteCount, entry.compressedByteCount, Int64(entry.checksum))
        }
        return digest.finish()
    }
}
