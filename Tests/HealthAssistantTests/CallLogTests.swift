import Foundation
import HealthTesting
import Testing

@testable import HealthAssistant

/// The log of calls as a file.
struct CallLogTests {
    private func record(_ number: Int) throws -> CallRecord {
        let line =
            #"{"time":"2026-03-10T08:00:00.500Z","client":"c","tool":"t\#(number)","#
            + #""arguments":"{}","outcome":"answered","bytes":12,"ms":0.5}"#
        return try #require(CallRecord(line: Array(line.utf8)))
    }

    @Test("Calls are read as they were written, oldest first")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let log = CallLog(at: folder.path + "/calls.log")
        #expect(try log.records().isEmpty)
        let records = try (0..<5).map(record)
        for record in records { try log.add(record) }
        #expect(try log.records() == records)
    }

    @Test("The file can be read by its owner only, and is never followed through a link")
    func permissions() throws {
        let folder = try TemporaryFolder()
        let log = CallLog(at: folder.path + "/calls.log")
        try log.add(try record(1))
        let attributes = try FileManager.default.attributesOfItem(atPath: log.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let link = CallLog(at: folder.path + "/link.log")
        try FileManager.default.createSymbolicLink(
            atPath: link.path, withDestinationPath: log.path)
        #expect(throws: CallLog.Failure.self) { try link.add(try record(2)) }
    }

    @Test("A full file is renamed, and two files are kept")
    func rotation() throws {
        let folder = try TemporaryFolder()
        let log = CallLog(at: folder.path + "/calls.log", maximumBytes: 1_000)
        for number in 0..<100 { try log.add(try record(number)) }
        let names = try log.records().map(\.tool)
        #expect(names.last == "t99")
        #expect(names == (0..<100).suffix(names.count).map { "t\($0)" })
        #expect((9...24).contains(names.count))
        for path in [log.path, log.earlierPath] {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
            #expect((size?.intValue ?? 0) < 1_200)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }

    @Test("Servers that write at the same time lose no call while the file isn't rotated")
    func concurrency() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/calls.log"
        try await withThrowingTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        try CallLog(at: path).add(try record(writer * 50 + number))
                    }
                }
            }
            try await group.waitForAll()
        }
        let found = try CallLog(at: path).records().map(\.tool)
        #expect(Set(found) == Set((0..<200).map { "t\($0)" }))
    }

    @Test(
        "Lines that aren't calls are left out",
        arguments: [
            "", "{}", "null", "[]", "nonsense", #"{"time":"x"}"#,
            #"{"time":"2026-03-10T08:00:00Z","tool":"","arguments":"","outcome":"no","bytes":1}"#,
        ])
    func damaged(line: String) { #expect(CallRecord(line: Array(line.utf8)) == nil) }
}
