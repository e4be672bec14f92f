import Foundation
import HealthCalendar
import HealthStorage
import HealthSync
import OpenHealthKit

/// The changes to a weight that a command requests.
struct WeightInput: Sendable {
    /// The weight as entered, such as "82.4kg"; nil to keep it.
    var text: String?
    var at: String?
    var note: String?
    var tags: [String] = []
    var untags: [String] = []
    var photos: [String] = []

    /// The notes and tags to attach. A blank note is left out.
    ///
    /// - Throws: ``UsageError`` for a blank tag.
    var attachments: [Attachment.Content] {
        get throws {
            guard tags.allSatisfy({ !$0.allSatisfy(\.isWhitespace) }) else {
                throw UsageError("A tag is empty: enter some text.")
            }
            let note = note.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
            return (note.map { [.note($0)] } ?? []) + tags.map { .tag($0) }
        }
    }

    /// The maximum size of a photo in bytes.
    private static let maximumPhotoSize = 256 << 20

    /// The files of the photos. Commands read this before anything is written.
    ///
    /// - Throws: ``CommandError`` for a file that isn't regular, readable and of an acceptable
    ///   size.
    var files: [URL] {
        get throws {
            try photos.map { path in
                if let words = FileKind(path).displayName {
                    throw CommandError(
                        "\(path.printable) is \(words), not a photo. Name the photo's file.")
                }
                let url = URL(fileURLWithPath: path)
                guard FileManager.default.isReadableFile(atPath: path),
                    let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize
                else { throw CommandError("\(path.printable) can't be read: check the file.") }
                // System files such as those in /proc report a size of 0 and may be endless.
                guard size > 0 else {
                    throw CommandError("\(path.printable) is empty, not a photo.")
                }
                guard size <= WeightInput.maximumPhotoSize else {
                    throw CommandError(
                        "\(path.printable) is larger than \(WeightInput.maximumPhotoSize >> 20) MB. "
                            + "Choose a smaller photo.")
                }
                return url
            }
        }
    }
}

/// Adds, edits and deletes weights. Each function returns the text to print.
struct WeightLogging: Sendable {
    let context: WeightDiary.CommandContext
    var probe = SyncProbe.none

    func log(_ input: WeightInput) async throws -> String {
        try await withDiary { diary, calendar in
            let (attachments, photos) = (try input.attachments, try input.files)
            try await diary.refresh()
            let defaultUnit = try await diary.preferredUnit()
            let amount = try WeightText.amount(input.text ?? "", in: defaultUnit)
            let date = try WeightMoment.date(input.at, calendar, now: Date())
            var draft = Draft(
                WeightDiary.mass, amount.value, unit: amount.unit.unit, at: date)
            draft.metadata = [
                HKMetadataKeyWasUserEntered: .number(1),
                HKMetadataKeyTimeZone: .text(calendar.calendar.timeZone.identifier),
            ]
            draft.attachments = attachments
            draft.photos = photos
            let entry = try await diary.writing.log(draft)
            let words = WeightMessages(unit: amount.unit, calendar: calendar)
            if context.isJSON { return try await json(entry, diary, words) }
            let entries = try await diary.entries()
            let before = entries.first { $0.start < entry.start && $0.state == .synced }
            return words.logged(entry, after: before).wrapped() + "\n"
        }
    }

    func edit(_ id: String, _ input: WeightInput) async throws -> String {
        try await withDiary { diary, calendar in
            _ = (try input.attachments, try input.files)
            guard case .entry(let old) = try await match(id, diary) else {
                throw CommandError("A note, tag or photo of a deleted weight can only be removed.")
            }
            let attached = try await diary.mirror.attachments(of: old.id)
            let defaultUnit = try await diary.preferredUnit()
            let amount = try input.text.map { try WeightText.amount($0, in: defaultUnit) }
            var entry = old
            if amount != nil || input.at != nil {
                let date = try WeightMoment.date(input.at, calendar, now: Date())
                entry = try await replace(
                    old, by: amount, at: input.at == nil ? old.start : date, input, diary)
            } else {
                try await attach(input, to: old, diary)
            }
            // The old attachments are removed last, so that nothing is lost if the process is
            // killed.
            for attachment in attached where input.replaces(attachment) {
                try await diary.mirror.removeAttachment(attachment.id)
            }
            let words = WeightMessages(unit: amount?.unit ?? defaultUnit, calendar: calendar)
            if context.isJSON { return try await json(entry, diary, words) }
            return words.edited(entry, from: old).wrapped() + "\n"
        }
    }

    private func replace(
        _ old: MirrorEntry, by amount: WeightAmount?, at date: Date, _ input: WeightInput,
        _ diary: WeightDiary
    ) async throws -> MirrorEntry {
        guard old.isOwn, var draft = Draft(old) else { throw notOwn(old) }
        if let amount { draft.content = .quantity(amount.value, unit: amount.unit.rawValue) }
        (draft.start, draft.end) = (date, date)
        draft.attachments = try input.attachments
        draft.photos = try input.files
        return try await diary.writing.edit(old.id, to: draft)
    }

    private func attach(
        _ input: WeightInput, to entry: MirrorEntry, _ diary: WeightDiary
    ) async throws {
        for content in try input.attachments {
            try await diary.mirror.attach(content, to: entry.id)
        }
        for file in try input.files {
            let photo = try await diary.mirror.storePhoto(at: file)
            try await diary.mirror.attach(.photo(photo), to: entry.id)
        }
    }

    func remove(_ id: String, _ attachmentRule: AttachmentDeleteRule) async throws -> String {
        try await withDiary { diary, calendar in
            let words = WeightMessages(unit: try await diary.preferredUnit(), calendar: calendar)
            switch try await match(id, diary) {
            case .attachment(let attachment):
                try await diary.mirror.removeAttachment(attachment.id)
                try await erase([attachment], diary)
                if context.isJSON { return removed(attachment.id, kept: 0) }
                return "Removed \(WeightMessages.kind(attachment.content)) of "
                    + "\(words.day(attachment.target.start)).\n"
            case .entry(let entry):
                guard entry.isOwn else { throw notOwn(entry) }
                let attached = try await diary.mirror.attachments(of: entry.id)
                try await diary.writing.remove(entry.id, attachments: attachmentRule)
                try await erase(attachmentRule == .removed ? attached : [], diary)
                let kept = attachmentRule == .kept ? attached.count : 0
                if context.isJSON { return removed(entry.id, kept: kept) }
                return words.removed(entry, kept: kept).wrapped() + "\n"
            }
        }
    }

    /// Erases what removed weights and attachments left behind: photo files, the mirror's
    /// write-ahead log and cached pages.
    private func erase(_ attachments: [Attachment], _ diary: WeightDiary) async throws {
        let digests = attachments.compactMap { attachment -> String? in
            if case .photo(let photo) = attachment.content { photo.digest } else { nil }
        }
        try await diary.mirror.removePhotos(Set(digests))
        try await diary.mirror.truncateWAL()
        SidecarFiles.removePageCache(of: context.path)
    }

    private func removed(_ id: UUID, kept: Int) -> String {
        JSONText.object([
            "removed": .string(id.uuidString.lowercased()), "keptBeside": .integer(kept),
        ]).text + "\n"
    }

    private func json(
        _ entry: MirrorEntry, _ diary: WeightDiary, _ words: WeightMessages
    ) async throws -> String {
        let attached = try await diary.mirror.attachments(of: entry.id)
        return words.json(entry, attached, diary.mirror).text + "\n"
    }

    // MARK: - Finding entries

    private enum Match {
        case entry(MirrorEntry)
        case attachment(Attachment)
    }

    /// Returns the weight with a number in the list, or the weight or unattached note, tag or photo
    /// whose identifier begins with a text.
    ///
    /// - Throws: ``CommandError`` if there is none or several, or if the list has changed since its
    ///   numbers were shown.
    private func match(_ id: String, _ diary: WeightDiary) async throws -> Match {
        let hasChanged = try await diary.refresh()
        let entries = try await diary.entries()
        if let number = WeightID.number(id) {
            guard !hasChanged else {
                throw CommandError(
                    "The numbers in the list have changed since it was shown. List the weights "
                        + "again: openhealth weight list\(context.options)")
            }
            guard (1...max(1, entries.count)).contains(number), !entries.isEmpty else {
                throw unknown(id)
            }
            return .entry(entries[number - 1])
        }
        let unattached = try await diary.mirror.unattached()
        let found =
            entries.filter { WeightID.matches(id, $0.id) }.map(Match.entry)
            + unattached.filter { WeightID.matches(id, $0.id) }.map(Match.attachment)
        guard let first = found.first else { throw unknown(id) }
        guard found.count == 1 else {
            throw CommandError("Several ids begin with \(id.printable). Use a longer prefix.")
        }
        return first
    }

    private func unknown(_ id: String) -> CommandError {
        CommandError(
            "Unknown weight \(id.printable). List the weights: "
                + "openhealth weight list\(context.options)")
    }

    // MARK: - Errors

    private func withDiary(
        _ body: (WeightDiary, CalendarBuckets) async throws -> String
    ) async throws -> String {
        do {
            let diary = try await WeightDiary(context, probe: probe)
            return try await body(diary, context.calendar)
        } catch let error as WriteError {
            throw CommandError(WeightMessages.sentence(error, context.options))
        } catch let error as UsageError {
            throw error
        } catch {
            throw UserFacingSyncError(error)
        }
    }

    private func notOwn(_ entry: MirrorEntry) -> CommandError {
        CommandError(
            "The weight is from \(entry.sourceName.printable) and can be changed only there. You "
                + "can attach a note or tag: openhealth weight edit ID --note TEXT")
    }
}

extension WeightInput {
    /// Whether the request removes an existing attachment: a note if there is a new one, or a tag
    /// to remove.
    fileprivate func replaces(_ attachment: Attachment) -> Bool {
        switch attachment.content {
        case .note: note != nil
        case .tag(let name): untags.contains(name) && !tags.contains(name)
        case .photo, .number: false
        }
    }
}

/// Identifies a weight by its number in the list, of fewer than eight digits, or by a prefix of its
/// UUID.
enum WeightID {
    /// The minimum number of characters of a short identifier.
    static let minimumLength = 8

    static func number(_ text: String) -> Int? {
        text.utf8.count < minimumLength && text.utf8.allSatisfy { (48...57).contains($0) }
            ? Int(text) : nil
    }

    static func matches(_ text: String, _ id: UUID) -> Bool {
        !text.isEmpty && plain(id.uuidString).hasPrefix(plain(text))
    }

    /// Returns prefixes of the identifiers without hyphens: the shortest that are unique, all of
    /// the same length, and at least ``minimumLength`` long.
    static func short(_ ids: [UUID]) -> [UUID: String] {
        let all = ids.map { plain($0.uuidString) }.sorted()
        var length = minimumLength
        for (one, next) in zip(all, all.dropFirst()) where one != next {
            length = max(length, one.commonPrefix(with: next).count + 1)
        }
        return Dictionary(
            ids.map { ($0, String(plain($0.uuidString).prefix(length))) },
            uniquingKeysWith: { first, _ in first })
    }

    private static func plain(_ text: String) -> String {
        text.lowercased().filter { $0 != "-" }
    }
}
