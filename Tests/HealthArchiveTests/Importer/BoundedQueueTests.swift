import Foundation
import HealthTesting
import Synchronization
import Testing

@testable import HealthArchive

@Suite("Bounded queue and read-ahead stream", .timeLimit(.minutes(5)))
struct BoundedQueueTests {
    private struct ProducerError: Error, Equatable { var position: Int }

    @Test("values arrive in FIFO order at any capacity", arguments: [1, 3])
    func order(capacity: Int) throws {
        let queue = BoundedQueue<Int, any Error>(capacity: capacity)
        queue.start("numbers") { queue in
            for number in 0..<10_000 where !queue.put(number) { return }
        }
        var taken: [Int] = []
        while let number = try queue.take() { taken.append(number) }
        #expect(taken == Array(0..<10_000))
        #expect(try queue.take() == nil)
        queue.stop()
    }

    @Test("the producer's error follows its values, on every call")
    func failureOfProducer() throws {
        let queue = BoundedQueue<Int, ProducerError>(capacity: 1)
        queue.start("numbers") { queue throws(ProducerError) in
            for number in 0..<3 { _ = queue.put(number) }
            throw ProducerError(position: 3)
        }
        var taken: [Int] = []
        let error = #expect(throws: ProducerError.self) {
            while let number = try queue.take() { taken.append(number) }
        }
        #expect(error == ProducerError(position: 3))
        #expect(taken == [0, 1, 2])
        #expect(throws: ProducerError(position: 3)) { try queue.take() }
    }

    @Test("stop() unblocks a waiting producer and waits until it ends")
    func stop() throws {
        let hasEnded = Atomic(false)
        let queue = BoundedQueue<Int, any Error>(capacity: 2)
        queue.start("numbers") { queue in
            var number = 0
            while queue.put(number) { number += 1 }
            Thread.sleep(forTimeInterval: 0.05)
            hasEnded.store(true, ordering: .releasing)
        }
        #expect(try queue.take() == 0)
        queue.stop()
        let isEnded = hasEnded.load(ordering: .acquiring)
        #expect(isEnded)
    }

    @Test("the queue never exceeds its capacity")
    func capacity() throws {
        let producedCount = Atomic(0)
        let queue = BoundedQueue<Int, any Error>(capacity: 3)
        queue.start("numbers") { queue in
            for number in 0..<100 {
                if !queue.put(number) { return }
                producedCount.add(1, ordering: .relaxed)
            }
        }
        for expected in [3, 4] {
            while producedCount.load(ordering: .relaxed) < expected {
                Thread.sleep(forTimeInterval: 0.001)
            }
            Thread.sleep(forTimeInterval: 0.05)
            let count = producedCount.load(ordering: .relaxed)
            #expect(count == expected)
            _ = try queue.take()
        }
        queue.stop()
    }

    @Test("a stream read ahead gives the same bytes and ends as the stream does")
    func readingAhead() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        for piece in [1000, 4096, 1 << 20] {
            let ahead = ReadAheadStream { MemoryStream(bytes, pieces: [77, 1, 300_000, 4095]) }
            #expect(try MemoryStream.readAll(ahead, piece: piece) == bytes)
            #expect(ahead.consumedByteCount == Int64(bytes.count))
        }
        let empty = ReadAheadStream { MemoryStream([]) }
        #expect(try MemoryStream.readAll(empty) == [])
    }

    @Test("a stream read ahead fails where the stream does, after the bytes before")
    func failureReadingAhead() throws {
        let content = Array(repeating: UInt8(ascii: "x"), count: 2 << 20)
        var entry = CraftedZip.Entry("export.xml", content)
        entry.checksum ^= 1
        let folder = try TemporaryFolder()
        let path = try folder.write("export.zip", CraftedZip([entry]).bytes)
        let archive = try ZipArchive(path: path)
        let found = try #require(archive.entries.first)
        let ahead = ReadAheadStream { () throws(ArchiveError) in try archive.open(found) }
        let error = #expect(throws: ArchiveError.self) { try MemoryStream.readAll(ahead) }
        #expect(error?.code == .checksumMismatch)
    }

    @Test("an abandoned stream leaves no thread")
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
