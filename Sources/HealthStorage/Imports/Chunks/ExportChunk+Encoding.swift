// The column `content` of `export_chunk`: varints, except for texts, whose bytes follow their
// number of bytes, and the earliest times, which are doubles.
//
//     metadata entries
//     number of parts · for each: the name of the element, the number of elements
//     number of zones · for each: its text, the number of records
//     number of types · for each: code, the number of samples × 2 + whether one is long
//     number of origins · for each: id, the number of samples, the earliest time
extension ExportChunk {
    var content: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(varint: UInt64(metadataEntries))
        for counts in [parts, zoneCounts] {
            bytes.append(varint: UInt64(counts.count))
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                bytes.append(varint: UInt64(name.utf8.count))
                bytes += name.utf8
                bytes.append(varint: UInt64(count))
            }
        }
        bytes.append(varint: UInt64(types.count))
        for type in types {
            bytes.append(varint: UInt64(UInt32(bitPattern: type.type)))
            bytes.append(varint: UInt64(type.samples) << 1 | (type.isLong ? 1 : 0))
        }
        bytes.append(varint: UInt64(origins.count))
        for total in origins {
            bytes.append(varint: UInt64(bitPattern: total.origin))
            bytes.append(varint: UInt64(total.count.samples))
            bytes.append(bitsOf: total.count.firstSeen)
        }
        return bytes
    }

    /// Decodes a chunk without its runs.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` if the bytes aren't in this encoding.
    init(id: Int64, content: [UInt8]) throws(StoreError) {
        self.id = id
        var reader = VarintReader(content, at: "export_chunk.content")
        metadataEntries = try ExportChunk.count(&reader)
        parts = try ExportChunk.counts(&reader)
        zoneCounts = try ExportChunk.counts(&reader)
        for _ in 0..<(try reader.count()) {
            guard let code = UInt32(exactly: try reader.number()) else { throw reader.damage }
            let samples = try ExportChunk.count(&reader)
            types.append(
                TypeCount(
                    type: Int32(bitPattern: code), samples: samples >> 1, isLong: samples & 1 == 1))
        }
        for _ in 0..<(try reader.count()) {
            let origin = Int64(bitPattern: try reader.number())
            let samples = try ExportChunk.count(&reader)
            let count = SnapshotWriter.OriginCount(samples: samples, firstSeen: try reader.double())
            origins.append(OriginTotal(origin: origin, count: count))
        }
        guard reader.isAtEnd else { throw reader.damage }
    }

    private static func counts(_ reader: inout VarintReader) throws(StoreError) -> [String: Int] {
        var counts: [String: Int] = [:]
        for _ in 0..<(try reader.count()) {
            let name = try reader.text()
            counts[name] = try count(&reader)
        }
        return counts
    }

    /// A count in a chunk is below 2³².
    private static func count(_ reader: inout VarintReader) throws(StoreError) -> Int {
        guard let count = UInt32(exactly: try reader.number()) else { throw reader.damage }
        return Int(count)
    }
}
