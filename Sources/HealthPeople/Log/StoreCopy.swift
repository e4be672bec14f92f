import Foundation
import HealthEngine

/// The manifest of a copy of a person's store in the log: of a checkpoint, or of a snapshot, which
/// saves applying entries.
///
/// A copy is stored in chunks of 1 MiB of the file, each compressed and sealed.
struct StoreCopy: Hashable, Sendable, Codable {
    /// The length of the file.
    var bytes: Int
    /// The number of chunks.
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
    static func binding(_ person: String, _ copy: String, _ index: Int) -> [UInt8] {
        var binding = SealBinding()
        binding.add("chunk")
        binding.add(person)
        binding.add(copy)
        binding.add(Int64(index))
        return binding.bytes
    }

    /// What the seal of a manifest is bound to.
    static func binding(_ person: String, _ copy: String, _ head: LogHead) -> [UInt8] {
        var binding = SealBinding()
        binding.add("manifest")
        binding.add(person)
        binding.add(copy)
        binding.add(head.number)
        binding.add(head.hash)
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

/// A copy of a person's store, on its way into the log: first its chunks, each in a transaction of
/// its own, so that a large copy blocks nobody, then its row.
struct SealedCopy: Sendable {
    let manifest: StoreCopy
    /// The identifier of the chunks.
    let identifier = HexadecimalText.random()
    let key: PersonKey
    let schema: String
    private let path: String
    /// The bytes of the sealed chunks; 0 before they are written.
    private(set) var bytes: Int64 = 0

    init(ofFile path: String, with key: PersonKey, schema: String) throws {
        manifest = try StoreCopy(ofFile: path)
        (self.path, self.key, self.schema) = (path, key, schema)
    }

    /// Writes the chunks. Nothing refers to them until ``publish(of:_:at:_:)``.
    ///
    /// - Parameter transaction: Runs a body in a transaction of the person.
    mutating func writeChunks(
        of person: String, at moment: Double,
        _ transaction: (@escaping (any SQLConnection) throws -> Void) throws -> Void
    ) throws {
        let reader = try ChunkReader(path)
        var index = 0
        while let content = try reader.next() {
            let payload = try SealedBytes.seal(
                content, with: key.key, bindingTo: StoreCopy.binding(person, identifier, index))
            let row: [SQLValue] = [
                .text(person), .text(identifier), .integer(Int64(index)), .bytes(payload),
                .real(moment),
            ]
            try transaction { connection in
                _ = try connection.execute(
                    "INSERT INTO snapshot_chunk (person, copy, \"index\", payload, written_at) "
                        + "VALUES ($1, $2, $3, $4, $5)", row)
            }
            bytes += Int64(payload.count)
            index += 1
        }
        guard index == manifest.chunks else { throw PeopleError.cacheFailed(path) }
    }

    /// Makes the chunks the copy of the state at a head.
    func publish(
        of person: String, _ head: LogHead, at moment: Double, _ connection: any SQLConnection
    ) throws {
        let sealed = try SealedBytes.seal(
            manifest.json, with: key.key, bindingTo: StoreCopy.binding(person, identifier, head))
        _ = try connection.execute(
            "INSERT INTO snapshot (person, number, hash, key_version, schema, copy, manifest, "
                + "bytes, written_at, written_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            [
                .text(person), .integer(head.number), .bytes(head.hash), .integer(key.version),
                .text(schema), .text(identifier), .bytes(sealed), .integer(bytes), .real(moment),
                .text(ProcessIdentity.own),
            ])
    }
}
