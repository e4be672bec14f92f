extension Schema {
    /// Version 7: what identifies the file of an import, so that the same file is
    /// recognized without being read. Null for earlier imports, which are read again once.
    static let importDigest = "ALTER TABLE import ADD COLUMN digest TEXT;"
}
