import Foundation
import HealthStorage
import HealthTesting
import Testing

/// Stores that are open here while other processes open and close them.
@Suite(.inTestAll) struct OpenStoreTests {
    @Test("opening a store twice gives up no lock: its log stays while others close it")
    func openedTwice() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/health.sqlite"
        let store = try SampleStore(at: path, access: .creating)
        try store.setAuthorization([1: AuthorizationRow(read: .granted)], of: "com.example.diary")
        let second = try SampleStore(at: path, access: .writing)
        #expect(try second.lastSequence == 0)
        let allowed = try CommandRun(
            ["grants", "allow", "com.example.other", "--read", "stepCount"], store: path)
        #expect(allowed.status == 0)
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        try store.setAuthorization([1: AuthorizationRow(read: .granted)], of: "com.example.late")
        let seen = try CommandRun(["grants", "--json"], store: path)
        #expect(seen.output.contains("com.example.late"))
    }
}
