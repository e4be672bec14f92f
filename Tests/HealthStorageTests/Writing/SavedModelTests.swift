import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// A model of a store of saved samples, as a plain list.
private struct ListModel {
    struct Entry {
        var uuid: SampleUUID
        var source: String
        var start: Double
        var end: Double
        var sync: (identifier: String, version: Double)?
        var sequence: Int64
    }

    var live: [Entry] = []
    var tombstones: [Entry] = []
    var last: Int64 = 0

    mutating func save(_ entries: [Entry]) -> Set<Int>? {
        var ignored: Set<Int> = []
        for (index, entry) in entries.enumerated() {
            guard let sync = entry.sync else { continue }
            let competitors = entries.indices.filter {
                $0 != index && entries[$0].source == entry.source
                    && entries[$0].sync?.identifier == sync.identifier
            }
            let isSuperseded = competitors.contains { other in
                let version = entries[other].sync?.version ?? 0
                return version > sync.version || version == sync.version && other < index
            }
            let stored = live.first {
                $0.source == entry.source && $0.sync?.identifier == sync.identifier
            }
            if isSuperseded || stored?.sync?.version ?? -1 >= sync.version { ignored.insert(index) }
        }
        let savedIndices = entries.indices.filter { !ignored.contains($0) }
        if savedIndices.contains(where: { index in
            live.contains { $0.uuid == entries[index].uuid }
        }) {
            return nil
        }
        for index in savedIndices {
            var entry = entries[index]
            if let sync = entry.sync,
                let old = live.firstIndex(where: {
                    $0.source == entry.source && $0.sync?.identifier == sync.identifier
                })
            {
                writeTombstone(at: old)
            }
            last += 1
            entry.sequence = last
            tombstones.removeAll { $0.uuid == entry.uuid }
            live.append(entry)
        }
        return ignored
    }

    mutating func delete(_ uuids: [SampleUUID], by source: String) -> Bool {
        let places = uuids.map { uuid in live.first { $0.uuid == uuid } }
        if uuids.isEmpty || !places.allSatisfy({ $0?.source == source }) { return false }
        for uuid in uuids {
            if let place = live.firstIndex(where: { $0.uuid == uuid }) { writeTombstone(at: place) }
        }
        return true
    }

    private mutating func writeTombstone(at place: Int) {
        var entry = live.remove(at: place)
        last += 1
        entry.sequence = last
        tombstones.append(entry)
    }
}

@Suite("a store of saved samples behaves like a plain list")
struct SavedModelTests {
    private static let isTorture =
        TestTier.isTorture
    private let store: SampleStore
    private let sources = ["a", "b"]

    init() throws { store = try SampleStore.inMemory() }

    private func randomEntry(_ random: inout SeededRandom) -> ListModel.Entry {
        let start = Double(Int.random(in: 0..<20, using: &random))
        let version = Double(Int.random(in: 0..<6, using: &random))
        let identifier = ["x", "y", "z"].randomElement(using: &random) ?? "x"
        return ListModel.Entry(
            uuid: SampleUUID(number: Int.random(in: 0..<40, using: &random)),
            source: sources.randomElement(using: &random) ?? "a", start: start,
            end: start + Double(Int.random(in: 0..<3, using: &random)),
            sync: Int.random(in: 0..<3, using: &random) == 0 ? (identifier, version) : nil,
            sequence: 0)
    }

    private func save(_ entries: [ListModel.Entry]) -> Set<Int>? {
        var saved = SavedBatch()
        for entry in entries {
            saved.source = entry.source
            saved.add(
                .steps, entry.start, entry.end, 1, uuid: entry.uuid,
                metadata: entry.sync.map { SavedBatch.sync($0.identifier, $0.version) } ?? [:])
        }
        return try? store.save(saved).ignored
    }

    @Test("random saves, replacements, deletions and pages of changes", .inTestAll)
    func random() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        var model = ListModel()
        var clients = [PagingClient(limit: nil), PagingClient(limit: 1), PagingClient(limit: 3)]
        for step in 0..<(Self.isTorture ? 20_000 : 600) {
            let context: Comment = "seed \(seed), step \(step)"
            if Int.random(in: 0..<3, using: &random) > 0 {
                var entries = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    randomEntry(&random)
                }
                var seen: Set<SampleUUID> = []
                entries.removeAll { !seen.insert($0.uuid).inserted }
                let ignored = model.save(entries)
                try #require(save(entries) == ignored, context)
            } else {
                let uuids = model.live.shuffled(using: &random).prefix(
                    Int.random(in: 1...2, using: &random)
                ).map(\.uuid)
                let source = sources.randomElement(using: &random) ?? "a"
                let isDone = model.delete(uuids, by: source)
                let stored: Void? = try? store.delete(uuids, by: "com.example.\(source)")
                try #require((stored != nil) == isDone, context)
            }
            try compare(model, &random, context)
            for index in clients.indices where Int.random(in: 0..<5, using: &random) == 0 {
                try clients[index].update(from: store)
                try #require(clients[index].known == Set(model.live.map(\.uuid)), context)
            }
        }
        #expect(try store.check() == [], "seed \(seed)")
    }

    private func compare(
        _ model: ListModel, _ random: inout SeededRandom, _ context: Comment
    ) throws {
        try #require(try store.lastSequence == model.last, context)
        let (low, high) = (
            Double(Int.random(in: 0..<20, using: &random)),
            Double(Int.random(in: 0..<20, using: &random))
        )
        let filter = SampleFilter.and([
            .test(.end, .compare(.atLeast, .date(low))),
            .test(.start, .compare(.less, .date(high))),
        ])
        func isMatch(_ entry: ListModel.Entry) -> Bool { entry.end >= low && entry.start < high }
        let expected = model.live.filter(isMatch).sorted {
            ($0.start, $0.sequence) < ($1.start, $1.sequence)
        }
        let limit = Int.random(in: 0..<12, using: &random)
        let request = SampleRequest(.steps, filter)
        try #require(
            try store.objects([request], limit: limit).uuids == expected.prefix(limit).map(\.uuid),
            context)
        let after = Int64.random(in: 0...model.last, using: &random)
        let changes = try store.changes([request], after: after)
        let added = model.live.filter { isMatch($0) && $0.sequence > after }
        try #require(
            changes.samples.uuids == added.sorted { $0.sequence < $1.sequence }.map(\.uuid), context
        )
        let tombstones = model.tombstones.filter { isMatch($0) && $0.sequence > after }
        try #require(
            changes.deleted.map(\.uuid)
                == tombstones.sorted { $0.sequence < $1.sequence }.map(\.uuid), context)
        try #require(changes.sequence == model.last, context)
    }

    /// A client that maintains a copy by reading changes page by page.
    private struct PagingClient {
        var limit: Int?
        var known: Set<SampleUUID> = []
        var last: Int64 = 0

        init(limit: Int?) { self.limit = limit }

        mutating func update(from store: SampleStore) throws {
            while true {
                let page = try store.changes(
                    [SampleRequest(.steps)], after: last, sampleLimit: limit,
                    tombstoneLimit: limit)
                let added = Set(page.samples.uuids)
                let deleted = Set(page.deleted.map(\.uuid))
                #expect(added.isDisjoint(with: deleted))
                // The order of deletions and additions makes no difference.
                known.formUnion(added)
                known.subtract(deleted)
                if page.sequence == last { return }
                last = page.sequence
            }
        }
    }
}
