public import HealthStorage

extension ExportImporter {
    /// When this export came into the store; nil if it never did as a whole.
    ///
    /// The same export has the size of its xml and the moment at which the phone made it; what is in it
    /// isn't read.
    ///
    /// - Throws: ``ArchiveError`` if the file is no readable export, `StoreError` if there is a store
    ///   that can't be read.
    /// - Complexity: O(files of the export + imports).
    public func earlierImport() throws -> ImportSummary? {
        let source = try ExportLocator.locate(path)
        let date = try ExportPreface(source).exportDate
        let store: SampleStore
        do {
            store = try SampleStore(at: self.store, access: .reading)
        } catch let error as StoreError where error.code == .missing {
            return nil
        }
        defer { try? store.close() }
        return try store.imports().first {
            $0.kind != .partial && $0.bytes == source.byteCount && $0.exportDate == date
        }
    }
}
