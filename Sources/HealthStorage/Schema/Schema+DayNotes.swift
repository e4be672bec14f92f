extension Schema {
    /// Version 6: what a person writes about a day.
    ///
    /// The day is a date without a time zone, so a note stays on its day if the home zone changes.
    /// No import refers to the table, so an undo leaves it as it is.
    static let dayNotes = """
        CREATE TABLE day_note (
            day TEXT PRIMARY KEY NOT NULL,
            text TEXT NOT NULL,
            modified REAL NOT NULL
        ) WITHOUT ROWID;
        """
}
