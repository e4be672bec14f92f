import Foundation
import GRDB
import HealthTesting
import OpenHealthKit
import Testing

@testable import HealthSync

/// A model of the mirror's rules on plain arrays.
private struct MirrorModel: Equatable {
    struct Note: Equatable {
        var text: String
        var entry: UUID
        var isAttached = true
        var sync: String?
        var bundle: String
        var type: HKQuantityTypeIdentifier
    }

    var live: [TestSample] = []
    var deleted: Set<UUID> = []
    var notes: [UUID: Note] = [:]

    /// The IDs of the attachments, in the order of their texts, since the IDs have no seed.
    var noteIDs: [UUID] {
        notes.sorted { $0.value.text < $1.value.text }.map(\.key)
    }

    mutating func apply(_ added: [TestSample], _ deleted: [TestSample]) {
        for sample in deleted { delete(sample.uuid) }
        for sample in added { add(sample) }
    }

    private func hasSameIdentity(_ one: TestSample, _ other: TestSample) -> Bool {
        one.sync != nil && one.sync == other.sync && one.bundle == other.bundle
            && one.type == other.type && one.uuid != other.uuid
    }

    mutating func delete(_ uuid: UUID) {
        deleted.insert(uuid)
        guard let index = live.firstIndex(where: { $0.uuid == uuid }) else { return }
        let sample = live.remove(at: index)
        let successor = live.filter { hasSameIdentity($0, sample) }.min {
            ($1.version, $0.uuid.uuidString) < ($0.version, $1.uuid.uuidString)
        }
        for (id, note) in notes where note.entry == uuid && note.isAttached {
            notes[id]?.sync = sample.sync
            notes[id]?.bundle = sample.bundle
            notes[id]?.isAttached = false
            if let successor { attach(id, on: successor) }
        }
    }

    mutating func add(_ sample: TestSample) {
        live.removeAll { $0.uuid == sample.uuid }
        live.append(sample)
        deleted.remove(sample.uuid)
        for old in live where hasSameIdentity(old, sample) && old.version < sample.version {
            delete(old.uuid)
        }
        for (id, note) in notes where !note.isAttached {
            let isNamed =
                note.sync != nil && note.sync == sample.sync && note.bundle == sample.bundle
                && note.type == sample.type
            if note.entry == sample.uuid || isNamed { attach(id, on: sample) }
        }
    }

    mutating func attach(_ id: UUID, on sample: TestSample) {
        guard let text = notes[id]?.text else { return }
        notes[id] = Note(
            text: text, entry: sample.uuid, sync: sample.sync, bundle: sample.bundle,
            type: sample.type)
    }
}

@Suite("the mirror agrees with a reference model")
struct MirrorModelTests {
    @Test("random batches, attachments and page splits give the same state")
    func agreement() async throws {
        for seed in TestTier.seeds(TestTier.count(quick: 3, all: 12, torture: 12), from: 1) {
            try await run(seed: seed)
        }
    }

    private func run(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let mirror = try Mirror.inMemory()
        var model = MirrorModel()
        var batches = TestBatches()
        var known: [TestSample] = []
        for step in 0..<60 {
            var pages = changes(&known, model, &random)
            pages = pages.filter { !$0.added.isEmpty || !$0.deleted.isEmpty }
            for page in pages {
                try await mirror.receive(batches.next(page.added, deleted: page.deleted))
                model.apply(page.added, page.deleted)
            }
            try await attach(mirror, &model, &random)
            let difference = try await difference(mirror, model)
            #expect(difference == nil, "seed \(seed), step \(step)")
            if difference != nil { return }
        }
    }

    private typealias Page = (added: [TestSample], deleted: [TestSample])

    /// Returns random changes, divided into pages at random.
    private func changes(
        _ known: inout [TestSample], _ model: MirrorModel, _ random: inout SeededRandom
    ) -> [Page] {
        var pages: [Page] = [([], [])]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            if Bool.random(using: &random) { pages.append(([], [])) }
            let last = pages.count - 1
            let old = known.randomElement(using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let sample = made(&random)
                pages[last].added.append(sample)
                known.append(sample)
            case 2:  // Replaced: both in one page, or in two, in either order.
                guard let old, old.sync != nil else { continue }
                var new = made(&random)
                (new.sync, new.bundle, new.type) = (old.sync, old.bundle, old.type)
                new.version = old.version + 1
                known.append(new)
                if Bool.random(using: &random) {
                    pages[last].added.append(new)
                    pages.append(([], [old]))
                } else {
                    pages[last].deleted.append(old)
                    if Bool.random(using: &random) { pages.append(([], [])) }
                    pages[pages.count - 1].added.append(new)
                }
            case 3: if let old { pages[last].deleted.append(old) }
            case 4: if let old { pages[last].added.append(old) }
            default:  // Saved again under its UUID with another value.
                guard var old else { continue }
                old.value += 1
                pages[last].added.append(old)
                known.removeAll { $0.uuid == old.uuid }
                known.append(old)
            }
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            pages.append(([], [made(&random)]))
        }
        return pages
    }

    private func made(_ random: inout SeededRandom) -> TestSample {
        TestSample(
            uuid: random.uuid(),
            type: Bool.random(using: &random) ? .bodyMass : .stepCount,
            value: Double(Int.random(in: 1...1000, using: &random)),
            start: TestSample.noon.addingTimeInterval(
                Double(Int.random(in: 0...9, using: &random))),
            bundle: Bool.random(using: &random) ? "com.example.a" : "com.example.b",
            sync: ["x", "y", "z", nil].randomElement(using: &random) ?? nil,
            version: Int.random(in: 1...3, using: &random))
    }

    private func attach(
        _ mirror: Mirror, _ model: inout MirrorModel, _ random: inout SeededRandom
    ) async throws {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
            guard let sample = model.live.randomElement(using: &random) else { return }
            let text = "note \(random.next())"
            let note = try await mirror.attach(.note(text), to: sample.uuid)
            model.notes[note.id] = .init(
                text: text, entry: sample.uuid, bundle: sample.bundle, type: sample.type)
            model.attach(note.id, on: sample)
        case 2:
            let ids = model.noteIDs
            guard let id = ids.randomElement(using: &random),
                let sample = model.live.randomElement(using: &random)
            else { return }
            try await mirror.reattach(id, to: sample.uuid)
            model.attach(id, on: sample)
        default:
            let ids = model.noteIDs
            guard ids.count > 6, let id = ids.randomElement(using: &random) else { return }
            try await mirror.removeAttachment(id)
            model.notes[id] = nil
        }
    }

    /// Returns a description of the first difference; nil if there is none.
    private func difference(_ mirror: Mirror, _ model: MirrorModel) async throws -> String? {
        let values = Dictionary(
            model.live.map { ($0.uuid, $0.value) }, uniquingKeysWith: { $1 })
        if try await mirror.values() != values { return "entries" }
        if try await mirror.tombstoneUUIDs() != model.deleted { return "gone" }
        var notes: [UUID: MirrorModel.Note] = [:]
        let all = try await mirror.read { try AttachmentRows($0).all("") }
        for one in all {
            guard case .note(let text) = one.content else { return "content" }
            notes[one.id] = .init(
                text: text, entry: one.target.entry, isAttached: one.isAttached,
                sync: one.target.syncIdentifier, bundle: one.target.bundleIdentifier ?? "",
                type: HKQuantityTypeIdentifier(rawValue: one.target.type ?? ""))
        }
        return notes == model.notes ? nil : "attachments"
    }
}
