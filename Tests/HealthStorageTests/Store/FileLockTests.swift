import Foundation
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("The lock of a file")
struct FileLockTests {
    private func with(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("FileLockTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("some.lock").path)
    }

    @Test("only one owner has it at a time, until it is released")
    func turns() throws {
        try with { path in
            #expect(!FileLock.isHeld(path))
            var first = FileLock(path, O_RDWR | O_CREAT)
            #expect(first?.acquire() == .acquired)
            #expect(FileLock.isHeld(path))
            let second = FileLock(path, O_RDWR)
            #expect(second?.acquire() == .heldElsewhere)
            first = nil
            #expect(!FileLock.isHeld(path))
            #expect(second?.acquire() == .acquired)
        }
    }

    @Test("a file that isn't there and may not be made has none")
    func missing() throws {
        try with { path in
            let lock = FileLock(path, O_RDWR)
            let reason = errno
            #expect(lock == nil)
            #expect(reason == ENOENT)
        }
    }

    @Test("another file of the same name is distinguished from it")
    func renamed() throws {
        try with { path in
            let lock = FileLock(path, O_RDWR | O_CREAT)
            #expect(lock?.isFile(at: path) == true)
            try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
            #expect(lock?.isFile(at: path) == false)
            let other = FileLock(path, O_RDWR | O_CREAT)
            #expect(lock?.isFile(at: path) == false)
            #expect(other?.isFile(at: path) == true)
            #expect(lock?.isFile(at: path + ".old") == true)
        }
    }
}
