extension Schema {
    /// Version 7: the medications that a person tracks. Doses are samples and refer to them by
    /// identifier, without a constraint: a dose can arrive before its medication.
    ///
    /// `import` is the import that added the row, whose undo removes it; null for other origins.
    static let medications = """
        CREATE TABLE medication (
            identifier TEXT PRIMARY KEY NOT NULL,
            content TEXT NOT NULL,
            import INTEGER REFERENCES import (id)
        ) WITHOUT ROWID;
        """
}
