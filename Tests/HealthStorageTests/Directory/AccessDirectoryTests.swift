import Foundation
import GRDB
import HealthTesting
import Testing

@testable import HealthStorage

/// The file with devices and read tokens.
@Suite struct AccessDirectoryTests {
    private let folder: TemporaryFolder
    private let store: String
    private let directory: AccessDirectory

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path + "/health.sqlite"
        directory = try AccessDirectory.open(besideStore: store)
    }

    @Test("a device is found by its token only, and its secret is nowhere in the files")
    func devices() throws {
        let token = try directory.addDevice(" Anna's iPhone ", at: 5).text
        #expect(try directory.device(forToken: token)?.name == "Anna's iPhone")
        let secret = try #require(token.split(separator: "_").last)
        #expect(secret.count == 64)
        for other in ["", "_", token + "0", String(token.dropLast()), String(secret)] {
            #expect(try directory.device(forToken: other) == nil)
        }
        #expect(try directory.readToken(forText: token) == nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
            let facts = try FileManager.default.attributesOfItem(
                atPath: folder.path + "/" + name)
            #expect(facts[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test("the digest is the SHA-256 of the secret", .comparedWithPython)
    func digest() throws {
        let token = try directory.addDevice("iPhone", at: 0).text
        let secret = try #require(token.split(separator: "_").last)
        let stored = try DatabaseQueue(path: directory.path).read { db in
            try String.fetchOne(db, sql: "SELECT lower(hex(digest)) FROM device")
        }
        let expected = try Python.run(
            "import hashlib,sys; print(hashlib.sha256(sys.argv[1].encode()).hexdigest())",
            [String(secret)])
        #expect(stored == expected)
    }

    @Test("names are unique apart from case, and bounded")
    func names() throws {
        _ = try directory.addDevice("iPhone", at: 0)
        #expect(throws: AccessError.nameTaken("iPhone")) {
            try directory.addDevice("IPHONE", at: 0)
        }
        for name in ["", "  ", "a\u{0}b", "a\nb", "a\u{202E}b", String(repeating: "é", count: 51)] {
            #expect(throws: AccessError.invalidName) { try directory.addDevice(name, at: 0) }
        }
        _ = try directory.addDevice(String(repeating: "é", count: 50), at: 0)
        // A Persian name and an emoji of several.
        for name in ["\u{639}\u{644}\u{6CC}\u{200C}\u{631}\u{636}\u{627}", "👩\u{200D}👧"] {
            _ = try directory.addDevice(name, at: 0)
            #expect(try directory.devices().contains { $0.name == name })
        }
        #expect(try directory.devices().count == 4)
    }

    @Test("a removed device has no valid token until it is added again, with a new one")
    func removal() throws {
        let first = try directory.addDevice("iPhone", at: 0).text
        try directory.removeDevice("iphone", at: 9)
        #expect(try directory.device(forToken: first) == nil)
        #expect(try directory.devices().first?.revokedAt == 9)
        #expect(throws: AccessError.unknownDevice("iPhone")) {
            try directory.removeDevice("iPhone", at: 10)
        }
        let second = try directory.addDevice("IPHONE", at: 11).text
        #expect(try directory.device(forToken: first) == nil)
        // Its samples are stored with the first name.
        #expect(try directory.device(forToken: second)?.name == "iPhone")
        #expect(try directory.devices().first?.revokedAt == nil)
    }

    @Test("contacts are counted by format, and the newest sample stays the newest")
    func contacts() throws {
        _ = try directory.addDevice("iPhone", at: 0)
        func note(_ dialect: String, at time: Double, end: Double?, _ outcome: ContactOutcome)
            throws
        {
            try directory.note(
                ReceivingDevice.Contact(
                    dialect: dialect, contactedAt: time, status: 202, outcome: outcome,
                    lastSampleEnd: end), of: "IPHONE")
        }
        try note("a", at: 10, end: 8, ContactOutcome(receipt: "r-000001", counts: ["accepted": 2]))
        try note("a", at: 20, end: 5, ContactOutcome(problem: "No."))
        try note("a", at: 30, end: nil, ContactOutcome(counts: ["total": 1]))
        try note("b", at: 25, end: nil, ContactOutcome())
        let device = try #require(try directory.devices().first)
        #expect(device.contacts.map(\.dialect) == ["a", "b"])
        #expect(device.contacts.map(\.requests) == [3, 1])
        #expect(device.contacts[0].outcome == ContactOutcome(counts: ["total": 1]))
        #expect(device.lastContact == 30 && device.lastSampleEnd == 8)
    }

    @Test("a read token keeps its scope, survives opening again, and can be removed")
    func readTokens() throws {
        let scope = ReadScope(
            types: ["HKQuantityTypeIdentifierStepCount"], earliest: 100, isAggregatedOnly: true)
        let token = try directory.addToken("Grafana", scope, at: 1)
        _ = try directory.addToken("Grafana", ReadScope(), at: 2)
        let again = try #require(try AccessDirectory.openIfPresent(besideStore: store))
        let found = try #require(try again.readToken(forText: token.text))
        #expect(found.scope == scope && found.identifier == token.identifier)
        #expect(try again.device(forToken: token.text) == nil)
        try again.noteUse(ofToken: token.identifier, at: 50)
        #expect(try directory.readTokens().map(\.usedAt) == [50, nil])
        #expect(try directory.readTokens().map(\.scope) == [scope, ReadScope()])
        try directory.removeToken(token.identifier, at: 60)
        #expect(try again.readToken(forText: token.text) == nil)
        #expect(throws: AccessError.unknownToken(token.identifier)) {
            try directory.removeToken(token.identifier, at: 61)
        }
    }

    @Test("another program’s database and a newer version are refused, unchanged")
    func foreignFiles() throws {
        let other = folder.path + "/other.sqlite"
        let path = AccessDirectory.path(besideStore: other)
        #expect(path == folder.path + "/other.devices.sqlite")
        #expect(try AccessDirectory.openIfPresent(besideStore: other) == nil)
        try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE t (x)") }
        #expect(throws: StoreError(.foreignDatabase(at: path))) {
            try AccessDirectory.open(besideStore: other)
        }
        try DatabaseQueue(path: directory.path).write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')")
        }
        #expect(throws: StoreError(.writtenByNewerVersion(at: directory.path))) {
            try AccessDirectory.open(besideStore: store)
        }
    }
}
