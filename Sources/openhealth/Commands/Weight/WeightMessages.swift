import Foundation
import HealthCalendar
import HealthDashboard
import HealthStorage
import HealthSync
import OpenHealthKit

/// The messages and the JSON of the weight diary.
struct WeightMessages: Sendable {
    var unit: WeightUnit
    var calendar: CalendarBuckets

    // MARK: - Changes

    /// Returns "Saved 82.4 kg on 21 November 2026 at 07:30, 0.5 kg less than on 20 November 2026."
    ///
    /// - Parameter before: The weight before the entry; nil if there is none.
    func logged(_ entry: MirrorEntry, after before: MirrorEntry?) -> String {
        let sentence = "Saved \(text(entry)) on \(moment(entry.start))"
        guard let before, before.kilograms.isFinite else { return sentence + "." }
        let change = entry.kilograms - before.kilograms
        let amount = WeightText.text(abs(change), in: unit)
        if amount == WeightText.text(0, in: unit) {
            return sentence + ", the same as on \(day(before.start))."
        }
        return sentence + ", \(amount) \(change < 0 ? "less" : "more") than on "
            + "\(day(before.start))."
    }

    func edited(_ entry: MirrorEntry, from old: MirrorEntry) -> String {
        let was = "\(text(old)) on \(moment(old.start))"
        let now = "\(text(entry)) on \(moment(entry.start))"
        if was == now { return "Changed the notes, tags or photos of \(now)." }
        return old.start == entry.start
            ? "Changed \(was) to \(text(entry))." : "Changed \(was) to \(now)."
    }

    func removed(_ entry: MirrorEntry, kept: Int) -> String {
        let sentence = "Removed \(text(entry)) on \(moment(entry.start))."
        guard kept > 0 else { return sentence }
        let items = counted(kept, "note, tag or photo", "notes, tags and photos")
        return sentence + " Kept \(items): "
            + StoreOptions.completed("openhealth weight list")
    }

    func text(_ entry: MirrorEntry) -> String { WeightText.text(entry.kilograms, in: unit) }

    func moment(_ date: Date) -> String {
        let time = date.timeIntervalSinceReferenceDate
        return DateText.long(time, calendar) + " at "
            + DateText.minute(time, calendar).suffix(5)
    }

    func day(_ date: Date?) -> String {
        date.map { DateText.long($0.timeIntervalSinceReferenceDate, calendar) }
            ?? "an unknown date"
    }

    // MARK: - JSON

    func json(_ entry: MirrorEntry, _ attachments: [Attachment], _ mirror: Mirror) -> JSONText {
        .object([
            "id": .string(entry.id.uuidString.lowercased()),
            "start": .string(calendar.text(entry.start.timeIntervalSinceReferenceDate)),
            "value": .number(unit.value(entry.kilograms)),
            "unit": .string(unit.rawValue),
            "kilograms": .number(entry.kilograms),
            "source": .string(entry.sourceName),
            "bundleIdentifier": .string(entry.bundleIdentifier),
            "isOwn": .bool(entry.isOwn),
            "isVisible": .bool(entry.state == .synced),
            "syncIdentifier": .text(entry.syncIdentifier),
            "syncVersion": entry.syncVersion.map(JSONText.integer) ?? .null,
            "notes": .array(attachments.compactMap { Self.note($0.content).map(JSONText.string) }),
            "tags": .array(Self.tags(attachments).map(JSONText.string)),
            "photos": .array(
                attachments.compactMap { Self.photo($0.content) }.map { photo in
                    .object([
                        "name": .string(photo.name),
                        "file": .string(mirror.file(of: photo).path),
                        "bytes": .integer(photo.byteCount),
                    ])
                }),
        ])
    }

    func json(_ attachment: Attachment) -> JSONText {
        .object([
            "id": .string(attachment.id.uuidString.lowercased()),
            "kind": .string(Self.kind(attachment.content)),
            "text": .string(Self.content(attachment.content)),
            "weightWasAt": .text(
                attachment.target.start.map { calendar.text($0.timeIntervalSinceReferenceDate) }),
        ])
    }

    // MARK: - Attachments

    static func note(_ content: Attachment.Content) -> String? {
        if case .note(let text) = content { text } else { nil }
    }

    static func tag(_ content: Attachment.Content) -> String? {
        if case .tag(let name) = content { name } else { nil }
    }

    static func photo(_ content: Attachment.Content) -> Attachment.Photo? {
        if case .photo(let photo) = content { photo } else { nil }
    }

    static func kind(_ content: Attachment.Content) -> String {
        switch content {
        case .note: "note"
        case .tag: "tag"
        case .photo: "photo"
        case .number: "number"
        }
    }

    static func content(_ content: Attachment.Content) -> String {
        switch content {
        case .note(let text): text
        case .tag(let name): name
        case .photo(let photo): photo.name
        case .number(let name, let number, let unit):
            "\(name) \(NumberText.shortest(number)) \(unit)"
        }
    }

    /// Returns the tags in alphabetical order, since tags that were attached together have the same
    /// date.
    private static func tags(_ attachments: [Attachment]) -> [String] {
        attachments.compactMap { tag($0.content) }.sorted()
    }

    /// Formats attachments, as in "#fasted  photo scale.jpg  “after the holidays”".
    static func line(_ attachments: [Attachment]) -> String {
        let tags = tags(attachments).map { "#" + $0 }
        let others = attachments.filter { tag($0.content) == nil }.map { attachment in
            switch attachment.content {
            case .note(let text): "“\(text)”"
            case .photo(let photo): "photo \(photo.name)"
            default: content(attachment.content)
            }
        }
        return (tags + others).map(\.printable).joined(separator: "  ")
    }

    // MARK: - Errors

    /// Returns why a weight was not written, and what to do.
    static func sentence(_ refusal: WriteError, _ options: String) -> String {
        switch refusal.reason {
        case .denied, .notDetermined:
            "The diary has no permission to save weights. Grant it: "
                + WeightPermissions.sharing(options)
        case .locked:
            "Another process is writing to the store. Nothing was saved. Try again later."
        case .unavailable:
            "The store can't be opened. Nothing was saved. Check the permissions of its file."
        case .disk: "The disk is full. Nothing was saved. Free some space and try again."
        case .conflict:
            "Another device has saved a newer version of the weight. Check it and try again: "
                + "openhealth weight list\(options)"
        case .notOwn: "The weight is from another app. Change it in that app."
        case .unknownEntry, .deleted:
            "The weight has been deleted. To add it again: openhealth weight log"
        case .notVisible:
            "The store doesn't return the weight to the diary. Allow the diary to read weights: "
                + WeightPermissions.reading(options)
        case .notReplaceable:
            "The weight can't be replaced. Remove it and add it again."
        case .unconfirmed, .interrupted:
            "It is not yet known whether the weight was saved. The next openhealth weight command "
                + "reports the result."
        case .invalid(.attachment): "The note, tag or photo is empty or can't be read."
        case .invalid: "The store rejected the weight as invalid."
        case .cancelled, .failed: refusal.sentence
        }
    }

    /// Describes the outcome of a write that was interrupted.
    static func sentence(_ recovery: Recovery) -> String {
        switch recovery {
        case .acknowledged: "An interrupted save was completed: the weight is in the diary."
        case .deleted:
            "An interrupted save was discarded because the weight has been deleted. Its notes are "
                + "kept."
        case .removed: "An interrupted removal was completed."
        case .conflict:
            "An interrupted change was discarded because the store has a newer version of the "
                + "weight."
        case .waiting(let refusal):
            "A weight is still waiting to be saved. "
                + StoreOptions.completed(sentence(refusal, ""))
        case .undecided:
            "An interrupted save is not in the store. Either it was never saved, or the weight was "
                + "deleted. Add it again if it is missing."
        case .notRemoved:
            "An interrupted removal failed: the store doesn't return the weight."
        case .unreadable:
            "A pending weight can't be read because a newer openhealth wrote it. It is kept."
        }
    }
}
