import Foundation
import HealthSync
import OpenHealthKit
import Testing

@Suite struct WriteThroughTests {
    @Test("a logged draft is in HealthKit and in the mirror, with its attachments")
    func log() async throws {
        let world = try await WritesWorld()
        var draft = world.draft(82.4)
        draft.metadata[HKMetadataKeyWasUserEntered] = .number(1)
        draft.attachments = [.note("after the holidays"), .tag("fasted")]
        let entry = try await world.writing().log(draft)
        let sample = try #require(try await world.visible().first as? HKQuantitySample)
        #expect(sample.uuid == entry.id)
        #expect(sample.quantity.doubleValue(for: WritesWorld.kilo) == 82.4)
        #expect(sample.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
        #expect(sample.metadata?[HKMetadataKeySyncVersion] as? Int == 1)
        #expect(entry.kilograms == 82.4 && entry.state == .synced)
        #expect(entry.bundleIdentifier == "com.example.weights")
        let contents = try await world.mirror.attachments(of: entry.id).map(\.content)
        #expect(Set(contents) == [.note("after the holidays"), .tag("fasted")])
        #expect(try await world.writing().pending().isEmpty)
    }

    @Test("a draft that is logged twice is one sample and one entry")
    func twice() async throws {
        let world = try await WritesWorld()
        var draft = world.draft()
        draft.attachments = [.note("once")]
        let first = try await world.writing().log(draft)
        let second = try await world.writing().log(draft)
        #expect(first == second)
        #expect(try await world.stored().count == 1)
        #expect(try await world.mirror.attachments(of: first.id).count == 1)
    }

    @Test("a draft that 20 tasks log concurrently through two actors is one sample and one entry")
    func atOnce() async throws {
        let world = try await WritesWorld()
        var draft = world.draft()
        draft.attachments = [.note("once")]
        let writers = [world.writing(), world.writing()]
        let written = draft
        let ids = try await withThrowingTaskGroup(of: UUID.self) { group in
            for number in 0..<20 {
                group.addTask { try await writers[number % 2].log(written).id }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await world.stored().count == 1)
        #expect(try await world.mirror.attachments(of: #require(ids.first)).count == 1)
        #expect(try await world.writing().pending().isEmpty)
    }

    @Test("a draft that is logged during recoveries is one sample and one entry")
    func whileRecovering() async throws {
        let world = try await WritesWorld()
        let recovering = Task {
            while !Task.isCancelled { _ = try? await world.writing().recover() }
        }
        for number in 0..<40 {
            var draft = world.draft(at: Double(number))
            draft.attachments = [.note(draft.id)]
            let entry = try await world.writing().log(draft)
            let change = try await world.writing().edit(entry.id, to: world.draft(70))
            let notes = try await world.mirror.attachments(of: change.id)
            #expect(notes.map(\.content) == [.note(draft.id)])
        }
        recovering.cancel()
        await recovering.value
        try await world.expectConsistent("while recovering")
        #expect(try await world.stored().count == 40)
    }

    @Test("an unreadable pending write is reported and kept, and does not block others")
    func unreadable() async throws {
        let world = try await WritesWorld()
        for id in ["one", "two"] {
            world.kill.arm(.writeJournalled)
            _ = try await world.reason { try await world.writing().log(world.draft(id: id)) }
        }
        try await world.damageJournal("one")
        let recoveries = try await world.writing().recover()
        guard case .unreadable("one") = recoveries.first, case .acknowledged = recoveries.last
        else {
            Issue.record("\(recoveries)")
            return
        }
        #expect(try await world.stored().count == 1)
        try await world.writing().abandon("one")
        #expect(try await world.writing().recover().isEmpty)
    }

    @Test("a different draft under an identifier in use is a conflict")
    func taken() async throws {
        let world = try await WritesWorld()
        try await world.writing().log(world.draft(80, id: "one"))
        let reason = try await world.reason {
            try await world.writing().log(world.draft(90, id: "one"))
        }
        #expect(reason == .conflict(version: 1))
        #expect(try await world.entries().map(\.kilograms) == [80])
    }

    @Test("a version in HealthKit that the mirror has not read is a conflict")
    func unseen() async throws {
        let world = try await WritesWorld()
        _ = try await world.save(90, at: 5, by: world.store, sync: ("one", 7))
        let reason = try await world.reason {
            try await world.writing().log(world.draft(80, id: "one"))
        }
        #expect(reason == .conflict(version: 7))
        #expect(try await world.writing().pending().isEmpty)
        #expect(try await world.entries().isEmpty)
    }

    @Test("another app's sample under the same sync identifier is no conflict")
    func otherApp() async throws {
        let world = try await WritesWorld()
        let theirs = try await world.save(90, at: 5, sync: ("one", 7))
        try await world.sync()
        let entry = try await world.writing().log(world.draft(80, id: "one"))
        #expect(entry.kilograms == 80 && entry.id != theirs.uuid)
        #expect(try await world.entries().count == 2)
    }

    @Test("an edit saves the next version, and the attachments move to it")
    func edit() async throws {
        let world = try await WritesWorld()
        var draft = world.draft(82.4)
        draft.attachments = [.note("first")]
        let entry = try await world.writing().log(draft)
        var change = try #require(Draft(entry))
        change.content = .quantity(81, unit: "kg")
        change.attachments = [.tag("corrected")]
        let edited = try await world.writing().edit(entry.id, to: change)
        #expect(edited.id != entry.id && edited.kilograms == 81)
        #expect(edited.syncIdentifier == entry.syncIdentifier && edited.syncVersion == 2)
        #expect(try await world.stored().map(\.uuid) == [edited.id])
        #expect(try await world.entries([.synced, .notVisible]).map(\.id) == [edited.id])
        let contents = try await world.mirror.attachments(of: edited.id).map(\.content)
        #expect(Set(contents) == [.note("first"), .tag("corrected")])
        try await world.sync()
        #expect(try await world.entries([.synced, .notVisible]).map(\.id) == [edited.id])
    }

    @Test("an edit of an entry that another device replaced is a conflict with that version")
    func replacedElsewhere() async throws {
        let world = try await WritesWorld()
        let entry = try await world.writing().log(world.draft(82, id: "one"))
        let theirs = try await world.save(70, at: 0, by: world.store, sync: ("one", 2))
        let reason = try await world.reason {
            try await world.writing().edit(entry.id, to: world.draft(81))
        }
        #expect(reason == .conflict(version: 2))
        #expect(try await world.stored().map(\.uuid) == [theirs.uuid])
    }

    @Test("another app's entry is neither edited nor removed")
    func notOwn() async throws {
        let world = try await WritesWorld()
        let theirs = try await world.save(90, at: 5, sync: ("one", 1))
        try await world.sync()
        let edit = try await world.reason {
            try await world.writing().edit(theirs.uuid, to: world.draft(81))
        }
        #expect(edit == .notOwn)
        let removal = try await world.reason { try await world.writing().remove(theirs.uuid) }
        #expect(removal == .notOwn)
        #expect(try await world.stored().count == 1)
        #expect(try await world.entries().count == 1)
    }

    @Test("an entry that HealthKit no longer shows is neither edited nor removed")
    func notVisible() async throws {
        let world = try await WritesWorld()
        let entry = try await world.writing().log(world.draft())
        try world.store.setAuthorization(.denied, for: [WritesWorld.mass])
        try await world.reconcile()
        #expect(try await world.mirror.entry(entry.id)?.state == .notVisible)
        let edit = try await world.reason {
            try await world.writing().edit(entry.id, to: world.draft(81))
        }
        #expect(edit == .notVisible)
        let removal = try await world.reason { try await world.writing().remove(entry.id) }
        #expect(removal == .notVisible)
        #expect(try await world.writing().pending().isEmpty)
        #expect(try await world.stored().count == 1)
    }

    @Test(
        "a removal deletes sample and entry, and keeps attachments unless the rule says otherwise")
    func remove() async throws {
        let world = try await WritesWorld()
        for rule in [AttachmentDeleteRule.kept, .removed] {
            var draft = world.draft()
            draft.attachments = [.note("kept?")]
            let entry = try await world.writing().log(draft)
            try await world.writing().remove(entry.id, attachments: rule)
            #expect(try await world.stored().isEmpty)
            #expect(try await world.entries([.synced, .notVisible]).isEmpty)
            let left = try await world.mirror.unattached()
            #expect(left.map(\.content) == [.note("kept?")])
            #expect(left.allSatisfy { $0.target.syncIdentifier != draft.id } == (rule == .removed))
        }
        #expect(try await world.writing().recover().isEmpty)
    }

    @Test(
        "a refused save throws the reason and returns the draft",
        arguments: [
            (AuthorizationDecision.readOnly, WriteError.Reason.denied), (nil, .notDetermined),
        ] as [(AuthorizationDecision?, WriteError.Reason)])
    func denied(_ answer: AuthorizationDecision?, _ expected: WriteError.Reason) async throws {
        let world = try await WritesWorld()
        try world.store.setAuthorization(answer, for: [WritesWorld.mass])
        var draft = world.draft(82.4)
        draft.attachments = [.note("kept by the app")]
        do {
            try await world.writing().log(draft)
            Issue.record("it was logged")
        } catch {
            #expect(error.reason == expected)
            #expect(error.draft == draft)
            #expect(!error.isJournalled && !"\(error)".contains("82"))
        }
        #expect(try await world.writing().pending().isEmpty)
        #expect(try await world.writing().recover().isEmpty)
    }

    @Test("an invalid draft is refused before anything is stored")
    func invalid() async throws {
        let world = try await WritesWorld()
        var late = world.draft()
        late.end = late.start.addingTimeInterval(-1)
        var unit = world.draft()
        unit.content = .quantity(3, unit: "count")
        var nonsense = world.draft()
        nonsense.content = .quantity(3, unit: "nonsense")
        var metadata = world.draft()
        metadata.metadata["key"] = .quantity(3, unit: "nonsense")
        var value = world.draft()
        value.content = .quantity(.nan, unit: "kg")
        var kind = world.draft()
        kind.content = .category(1)
        var note = world.draft()
        note.attachments = [.note("")]
        var photo = world.draft()
        photo.photos = [URL(fileURLWithPath: "/nowhere/photo.jpg")]
        let faults: [(Draft, DraftFault)] = [
            (late, .times), (unit, .unit), (value, .value), (kind, .type), (note, .attachment),
            (photo, .attachment), (world.draft(id: ""), .identifier), (nonsense, .unit),
            (metadata, .metadata),
        ]
        for (draft, fault) in faults {
            let reason = try await world.reason { try await world.writing().log(draft) }
            #expect(reason == .invalid(fault))
        }
        #expect(try await world.writing().pending().isEmpty)
        #expect(try await world.stored().isEmpty)
    }

    @Test("a photo is in the mirror's folder with the entry, and not if the save is refused")
    func photos() async throws {
        let world = try await WritesWorld()
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString + ".jpg")
        try Data("a photo".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var draft = world.draft()
        draft.photos = [file]
        try world.store.setAuthorization(.denied, for: [WritesWorld.mass])
        let reason = try await world.reason { try await world.writing().log(draft) }
        #expect(reason == .denied)
        await eventually { world.photoNames.isEmpty }
        try world.store.setAuthorization(.granted, for: [WritesWorld.mass])
        let entry = try await world.writing().log(draft)
        let attached = try #require(try await world.mirror.attachments(of: entry.id).first)
        guard case .photo(let photo) = attached.content else {
            Issue.record("no photo")
            return
        }
        #expect(try Data(contentsOf: world.mirror.file(of: photo)) == Data("a photo".utf8))
    }

    @Test("a cancelled task writes nothing; one cancelled later writes all")
    func cancelled() async throws {
        let world = try await WritesWorld()
        let draft = world.draft()
        let writing = world.writing()
        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await world.reason { try await writing.log(draft) }
        }
        #expect(try await before.value == .cancelled)
        #expect(try await world.stored().isEmpty)
        for delay in 0..<20 {
            let later = world.draft(at: Double(delay))
            let task = Task { try await writing.log(later) }
            try await Task.sleep(for: .microseconds(200 * delay))
            task.cancel()
            _ = try? await task.value
        }
        #expect(try await writing.pending().isEmpty)
        let stored = try await world.stored().map(\.uuid)
        #expect(try await world.entries().map(\.id) == stored)
    }

    @Test("an error says what to do, without the value")
    func sentences() {
        let reasons: [WriteError.Reason] = [
            .notDetermined, .denied, .locked, .disk, .conflict(version: 3), .invalid(.times),
            .notOwn, .unknownEntry, .notVisible, .notReplaceable, .deleted, .unconfirmed,
            .cancelled, .interrupted, .unavailable, .failed,
        ]
        #expect(Set(reasons.map(\.sentence)).count == reasons.count)
        #expect(reasons.allSatisfy { $0.sentence.hasSuffix(".") })
    }
}
