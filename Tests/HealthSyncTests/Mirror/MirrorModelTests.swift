import Foundation
import GRDB
import HealthTesting
import OpenHealthKit
import Testing

@testable import HealthSync

/// A model of the mirror's rules on plain arrays.
private struct MirrorModel: Equatable {
    struct Hanging: Equatable {
        var text: String
        var entry: UUID
        var isAttached = true
        var sync: String?
        var bundle: String
        var type: HKQuantityTypeIdentifier
    }

    var live: [MadeSample] = []
    var gone: Set<UUID> = []
    var hanging: [UUID: Hanging] = [:]

    /// The IDs of the attachments, in the order of their texts, since the IDs have no seed.
    var hangingIDs: [UUID] {
        hanging.sorted { $0.value.text < $1.value.text }.map(\.key)
    }

    mutating func apply(_ added: [MadeSample], _ deleted: [MadeSample]) {
        for sample in deleted { delete(sample.uuid) }
        for sample in added { add(sample) }
    }

    private func isKin(_ one: MadeSample, _ other: MadeSample) -> Bool {
        one.sync != nil && one.sync == other.sync && one.bundle == other.bundle
            && one.type == other.type && one.uuid != other.uuid
    }

    mutating func delete(_ uuid: UUID) {
        gone.insert(uuid)
        guard let index = live.firstIndex(where: { $0.uuid == uuid }) else { return }
        let sample = live.remove(at: index)
        let successor = live.filter { isKin($0, sample) }.min {
            ($1.version, $0.uuid.uuidString) < ($0.version, $1.uuid.uuidString)
        }
        for (id, thing) in hanging where thing.entry == uuid && thing.isAttached {
            hanging[id]?.sync = sample.sync
            hanging[id]?.bundle = sample.bundle
            hanging[id]?.isAttached = false
            if let successor { hang(id, on: successor) }
        }
    }

    mutating func add(_ sample: MadeSample) {
        live.removeAll { $0.uuid == sample.uuid }
        live.append(sample)
        gone.remove(sample.uuid)
        for old in live where isKin(old, sample) && old.version < sample.version {
            delete(old.uuid)
        }
        for (id, thing) in hanging where !thing.isAttached {
            let isNamed =
                thing.sync != nil && thing.sync == sample.sync && thing.bundle == sample.bundle
                && thing.type == sample.type
            if thing.entry == sample.uuid || isNamed { hang(id, on: sample) }
        }
    }

    mutating func hang(_ id: UUID, on sample: MadeSample) {
        guard let text = hanging[id]?.text else { return }
        hanging[id] = Hanging(
            text: text, entry: sample.uuid, sync: sample.sync, bundle: sample.bundle,
            type: sample.type)
    }
}

@Suite("the mirror against a slow model of it")
struct MirrorModelTests {
    @Test("random batches, attachments and page splits leave both in the same state")
    func agreement() async throws {
        for seed in TestTier.seeds(TestTier.count(quick: 3, all: 12, torture: 12), from: 1) {
            try await run(seed: seed)
        }
    }

    private func run(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let mirror = try Mirror.inMemory()
        var model = MirrorModel()
        var batches = MadeBatches()
        var known: [MadeSample] = []
        for step in 0..<60 {
            var pages = changes(&known, model, &random)
            pages = pages.filter { !$0.added.isEmpty || !$0.deleted.isEmpty }
            for page in pages {
                try await mirror.take(batches.next(page.added, deleted: page.deleted))
                model.apply(page.added, page.deleted)
            }
            try await attach(mirror, &model, &random)
            let difference = try await difference(mirror, model)
            #expect(difference == nil, "seed \(seed), step \(step)")
            if difference != nil { return }
        }
    }

    private typealias Page = (added: [MadeSample], deleted: [MadeSample])

    /// Returns random changes, divided into pages at random.
    private func changes(
        _ known: inout [MadeSample], _ model: MirrorModel, _ random: inout SeededRandom
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

    private func made(_ random: inout SeededRandom) -> MadeSample {
        MadeSample(
            uuid: random.uuid(),
            type: Bool.random(using: &random) ? .bodyMass : .stepCount,
            value: Double(Int.random(in: 1...1000, using: &random)),
            start: MadeSample.noon.addingTimeInterval(
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
            model.hanging[note.id] = .init(
                text: text, entry: sample.uuid, bundle: sample.bundle, type: sample.type)
            model.hang(note.id, on: sample)
        case 2:
            let ids = model.hangingIDs
            guard let id = ids.randomElement(using: &random),
                let sample = model.live.randomElement(using: &random)
            else { return }
            try await mirror.reattach(id, to: sample.uuid)
            model.hang(id, on: sample)
        default:
            let ids = model.hangingIDs
            guard ids.count > 6, let id = ids.randomElement(using: &random) else { return }
            try await mirror.removeAttachment(id)
            model.hanging[id] = nil
        }
    }

    /// Returns a description of the first difference; nil if there is none.
    private func difference(_ mirror: Mirror, _ model: MirrorModel) async throws -> String? {
        let values = Dictionary(
            model.live.map { ($0.uuid, $0.value) }, uniquingKeysWith: { $1 })
        if try await mirror.values() != values { return "entries" }
        if try await mirror.goneUUIDs() != model.gone { return "gone" }
        var hanging: [UUID: MirrorModel.Hanging] = [:]
        let all = try await mirror.read { try AttachmentRows($0).all("") }
        for one in all {
            guard case .note(let text) = one.content else { return "content" }
            hanging[one.id] = .init(
                text: text, entry: one.place.entry, isAttached: one.isAttached,
                sync: one.place.syncIdentifier, bundle: one.place.bundleIdentifier ?? "",
                type: HKQuantityTypeIdentifier(rawValue: one.place.type ?? ""))
        }
        return hanging == model.hanging ? nil : "attachments"
    }
}
