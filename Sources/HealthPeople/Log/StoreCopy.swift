import Foundation
import HealthEngine

/// The manifest of a copy of a person's store in the log: of a checkpoint, or of a snapshot, which
/// saves applying entries.
///
/// A copy is stored in chunks of 1 MiB of the file, each compressed and sealed. Chunk 0 is the
/// manifest.
struct StoreCopy: Hashable, Sendable, Codable {
    /// The length of the file.
    var bytes: Int
    /// The number of chunks without the manifest.
    var chunks: Int
    /// The SHA-256 of the file, in hexadecimal digits.
    var digest: String

    /// The bytes of the file in a chunk.
    static let chunkBytes = 1 << 20

    /// Reads a file.
    ///
    /// - Throws: ``PeopleError/cacheFailed(_:)``.
    init(ofFile path: String) throws(PeopleError) {
        var digest = SHA256()
        (bytes, chunks) = (0, 0)
        let reader = try ChunkReader(path)
        while let chunk = try reader.next() {
            digest.update(chunk)
            bytes += chunk.count
            chunks += 1
        }
        self.digest = HexadecimalText.text(digest.bytes())
    }

    /// Reads the JSON of a manifest.
    init(json: [UInt8]) throws(PeopleError) {
        guard let copy = try? JSONDecoder().decode(StoreCopy.self, from: Data(json)),
            copy.bytes >= 0, copy.chunks == (copy.bytes + Self.chunkBytes - 1) / Self.chunkBytes
        else { throw .damagedLog }
        self = copy
    }

    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Numbers and a text can always be encoded.
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }

    /// What the seal of a chunk is bound to.
    static func binding(_ person: String, _ head: LogHead, _ index: Int) -> [UInt8] {
        var binding = SealBinding()
        binding.add("copy")
        binding.add(person)
        binding.add(head.number)
        binding.add(head.hash)
        binding.add(Int64(index))
        return binding.bytes
    }
}

/// Reads a file in chunks.
final class ChunkReader {
    private let path: String
    private let file: FileHandle

    init(_ path: String) throws(PeopleError) {
        guard let file = FileHandle(forReadingAtPath: path) else { throw .cacheFailed(path) }
        (self.path, self.file) = (path, file)
    }

    deinit { try? file.close() }

    /// Returns the next chunk; nil at the end.
    func next() throws(PeopleError) -> [UInt8]? {
        do {
            var chunk: [UInt8] = []
            while chunk.count < StoreCopy.chunkBytes,
                let data = try file.read(upToCount: StoreCopy.chunkBytes - chunk.count),
                !data.isEmpty
            {
                chunk += data
            }
            return chunk.isEmpty ? nil : chunk
        } catch { throw .cacheFailed(path) }
    }
}

/// A file with a copy of a person's store, on its way into the log.
struct SealedCopy: Sendable {
    var path: String
    var manifest: StoreCopy
    var key: PersonKey
    var schema: String
    /// The process that writes it.
    var writer: String

    init(ofFile path: String, with key: PersonKey, schema: String, writer: String) throws {
        manifest = try StoreCopy(ofFile: path)
        (self.path, self.key, self.schema, self.writer) = (path, key, schema, writer)
    }

    /// Writes the copy as the state at a head.
    ///
    /// - Returns: The number of bytes.
    @discardableResult
    func insert(
        of person: String, _ head: LogHead, at moment: Double, _ connection: any SQLConnection
    ) throws -> Int64 {
        let reader = try ChunkReader(path)
        var (index, bytes) = (0, 0)
        var content: [UInt8]? = manifest.json
        while let plain = content {
            let payload = try SealedBytes.seal(
                plain, with: key.key, bindingTo: StoreCopy.binding(person, head, index))
            _ = try connection.execute(
                "INSERT INTO snapshot_chunk (person, number, \"index\", payload) "
                    + "VALUES ($1, $2, $3, $4)",
                [
                    .text(person), .integer(head.number), .integer(Int64(index)), .bytes(payload),
                ])
            bytes += payload.count
            index += 1
            content = try reader.next()
        }
        guard index == manifest.chunks + 1 else { throw PeopleError.cacheFailed(path) }
        _ = try connection.execute(
            "INSERT INTO snapshot (person, number, hash, key_version, schema, bytes, written_at, "
                + "written_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            [
                .text(person), .integer(head.number), .bytes(head.hash), .integer(key.version),
                .text(schema), .integer(Int64(bytes)), .real(moment), .text(writer),
            ])
        _ = try connection.execute(
            "UPDATE person_head SET bytes = bytes + $1 WHERE person = $2",
            [.integer(Int64(bytes)), .text(person)])
        return Int64(bytes)
    }
}
