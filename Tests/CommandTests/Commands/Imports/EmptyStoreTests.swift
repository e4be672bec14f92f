import HealthStorage
import HealthTesting
import Testing

/// A first import into a store that exists but has no samples, as a server creates it.
@Suite struct EmptyStoreTests {
    @Test("an import into a store without samples completes, and the store is sound", .inTestAll)
    func emptyStore() throws {
        let folder = try TemporaryFolder()
        let (export, store) = (folder.path + "/export.zip", folder.path + "/health.sqlite")
        try SampleStore(at: store, access: .creating).close()
        let simulated = try CommandRun(
            ["simulate", "--records", "20000", "--years", "1", "--seed", "1", "--out", export])
        try #require(simulated.status == 0, "\(simulated.errors)")
        let run = try CommandRun(["import", export, "--json"], store: store)
        try #require(run.status == 0, "\(run.errors)")
        let check = try CommandRun(["check"], store: store)
        #expect(check.status == 0, "\(check.output)")
    }

    @Test("a statement's journal fits into one write of SQLite's when it moves to a file")
    func journalLimit() {
        // With 16 MB, an import of a million records into such a store ended with "disk full".
        #expect(SQLiteSettings.statementJournalLimit < 1 << 17)
    }
}
