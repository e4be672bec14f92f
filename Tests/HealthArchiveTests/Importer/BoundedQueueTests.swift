import Foundation
import HealthTesting
import Synchronization
import Testing

@testable import HealthArchive

@Suite("Threads that read ahead", .timeLimit(.minutes(5)))
struct BoundedQueueTests {
    private struct Broken: Error, Equatable { var place: Int }

    @Test("values come in the order they were made, however few lie ready", arguments: [1, 3])
    func order(capacity: Int) throws {
        let conveyor = BoundedQueue<Int, any Error>(capacity: capacity)
        conveyor.start("numbers") { belt in
            for number in 0..<10_000 where !belt.put(number) { return }
        }
        var taken: [Int] = []
        while let number = try conveyor.take() { taken.append(number) }
        #expect(taken == Array(0..<10_000))
        #expect(try conveyor.take() == nil)
        conveyor.stop()
    }

    @Test("what the maker throws comes after the values it made, each time one asks")
    func failureOfMaker() throws {
        let conveyor = BoundedQueue<Int, Broken>(capacity: 1)
        conveyor.start("numbers") { belt throws(Broken) in
            for number in 0..<3 { _ = belt.put(number) }
            throw Broken(place: 3)
        }
        var taken: [Int] = []
        let error = #expect(throws: Broken.self) {
            while let number = try conveyor.take() { taken.append(number) }
        }
        #expect(error == Broken(place: 3))
        #expect(taken == [0, 1, 2])
        #expect(throws: Broken(place: 3)) { try conveyor.take() }
    }

    @Test("a user that stops frees a maker that waits for room, and waits for its end")
    func stop() throws {
        let hasEnded = Atomic(false)
        let conveyor = BoundedQueue<Int, any Error>(capacity: 2)
        conveyor.start("numbers") { belt in
            var number = 0
            while belt.put(number) { number += 1 }
            Thread.sleep(forTimeInterval: 0.05)
            hasEnded.store(true, ordering: .releasing)
        }
        #expect(try conveyor.take() == 0)
        conveyor.stop()
        let isEnded = hasEnded.load(ordering: .acquiring)
        #expect(isEnded)
    }

    @Test("no more values lie ready than there is room for")
    func capacity() throws {
        let made = Atomic(0)
        let conveyor = BoundedQueue<Int, any Error>(capacity: 3)
        conveyor.start("numbers") { belt in
            for number in 0..<100 {
                if !belt.put(number) { return }
                made.add(1, ordering: .relaxed)
            }
        }
        for expected in [3, 4] {
            while made.load(ordering: .relaxed) < expected { Thread.sleep(forTimeInterval: 0.001) }
            Thread.sleep(forTimeInterval: 0.05)
            let count = made.load(ordering: .relaxed)
            #expect(count == expected)
            _ = try conveyor.take()
        }
        conveyor.stop()
    }

    @Test("a stream read ahead gives the same bytes and ends as the stream does")
    func readingAhead() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        for piece in [1000, 4096, 1 << 20] {
            let ahead = ReadAheadStream { MemoryStream(bytes, pieces: [77, 1, 300_000, 4095]) }
            #expect(try MemoryStream.drain(ahead, piece: piece) == bytes)
            #expect(ahead.consumedByteCount == Int64(bytes.count))
        }
        let empty = ReadAheadStream { MemoryStream([]) }
        #expect(try MemoryStream.drain(empty) == [])
    }

    @Test("a stream read ahead fails where the stream does, after the bytes before")
    func failureReadingAhead() throws {
        let content = Array(repeating: UInt8(ascii: "x"), count: 2 << 20)
        var entry = ForgedZip.Entry("export.xml", content)
        entry.checksum ^= 1
        let folder = try TemporaryFolder()
        let path = try folder.write("export.zip", ForgedZip([entry]).bytes)
        let archive = try ZipArchive(path: path)
        let found = try #require(archive.entries.first)
        let ahead = ReadAheadStream { () throws(ArchiveError) in try archive.open(found) }
        let error = #expect(throws: ArchiveError.self) { try MemoryStream.drain(ahead) }
        #expect(error?.code == .checksumMismatch)
    }

    @Test("a stream that nobody reads to its end leaves no thread behind")
    func abandoned() throws {
        let bytes = [UInt8](repeating: 7, count: 8 << 20)
        for _ in 0..<20 {
            let ahead = ReadAheadStream { MemoryStream(bytes) }
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
            defer { buffer.deallocate() }
            #expect(try ahead.read(into: buffer) == 16)
        }
    }
}
