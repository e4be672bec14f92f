import Foundation
import HealthDashboard
import HealthStorage
import HealthSync
import OpenHealthKit

/// What the diary says to a person, and to a program.
struct WeightWords: Sendable {
    var unit: WeightUnit
    var calendar: CalendarBuckets

    // MARK: - What was done

    /// "82.4 kg on 21 November 2026 at 07:30. That is 0.5 kg less than on 20 November 2026."
    func logged(_ entry: Entry, after before: Entry?) -> String {
        let sentence = "\(text(entry)) on \(moment(entry.start)) is in your diary."
        guard let before, before.kilograms.isFinite else { return sentence }
        let change = entry.kilograms - before.kilograms
        let amount = WeightText.text(abs(change), in: unit)
        if amount == WeightText.text(0, in: unit) {
            return sentence + " That is as on \(day(before.start))."
        }
        return sentence + " That is \(amount) \(change < 0 ? "less" : "more") than on "
            + "\(day(before.start))."
    }

    func edited(_ entry: Entry, from old: Entry) -> String {
        let was = "\(text(old)) on \(moment(old.start))"
        let now = "\(text(entry)) on \(moment(entry.start))"
        if was == now { return "What stands beside \(now) has changed." }
        return old.start == entry.start ? "\(was) is now \(text(entry))." : "\(was) is now \(now)."
    }

    func removed(_ entry: Entry, kept: Int) -> String {
        let sentence = "Removed \(text(entry)) of \(moment(entry.start))."
        guard kept > 0 else { return sentence }
        return sentence + " What stood beside it (\(counted(kept, "item", "items"))) is kept: see "
            + StoreOptions.completed("openhealth weight list.")
    }

    func text(_ entry: Entry) -> String { WeightText.text(entry.kilograms, in: unit) }

    func moment(_ date: Date) -> String {
        let time = date.timeIntervalSinceReferenceDate
        return DayWords.long(time, calendar) + " at "
            + DayWords.minute(time, calendar).suffix(5)
    }

    func day(_ date: Date?) -> String {
        date.map { DayWords.long($0.timeIntervalSinceReferenceDate, calendar) }
            ?? "a weight that was never here"
    }

    // MARK: - JSON

    func json(_ entry: Entry, _ beside: [Attachment], _ mirror: Mirror) -> JSONText {
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
            "notes": .array(beside.compactMap { Self.note($0.content).map(JSONText.string) }),
            "tags": .array(beside.compactMap { Self.tag($0.content).map(JSONText.string) }),
            "photos": .array(
                beside.compactMap { Self.photo($0.content) }.map { photo in
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
                attachment.place.start.map { calendar.text($0.timeIntervalSinceReferenceDate) }),
        ])
    }

    // MARK: - What stands beside a weight

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

    /// "#fasted  photo scale.jpg  after the holidays"
    static func line(_ beside: [Attachment]) -> String {
        let tags = beside.compactMap { tag($0.content).map { "#" + $0 } }
        let others = beside.filter { tag($0.content) == nil }.map { attachment in
            switch attachment.content {
            case .note(let text): "“\(text)”"
            case .photo(let photo): "photo \(photo.name)"
            default: content(attachment.content)
            }
        }
        return (tags + others).map(\.printable).joined(separator: "  ")
    }

    // MARK: - What stood in the way

    /// Why a weight was not written, and what the person can do.
    static func sentence(_ refusal: WriteRefusal, _ options: String) -> String {
        switch refusal.reason {
        case .denied, .notDetermined:
            "The diary may not write weights. Allow it again: "
                + WeightPromise.sharing(options)
        case .locked:
            "Another process is writing the store, and nothing was written. Try again when it is done."
        case .unavailable:
            "The store can't be reached now. See who may use its file; nothing was written."
        case .disk: "There is no room on the disk. Free some, then say it again."
        case .conflict:
            "Another device has a newer version of that weight. Look at it, then say it again: "
                + "openhealth weight list\(options)"
        case .notOwn: "Another app wrote that weight. Change it there."
        case .unknownEntry, .deleted:
            "That weight was deleted meanwhile. To have it again: openhealth weight log"
        case .notVisible:
            "The store doesn't show that weight to the diary at present. It may be allowed to read: "
                + WeightPromise.reading(options)
        case .notReplaceable:
            "That weight can't be replaced. Remove it, and log it anew."
        case .unconfirmed, .interrupted:
            "The weight is on its way: the next openhealth weight command tells what became of it."
        case .invalid(.attachment): "The note, tag or photo is empty or can't be read."
        case .invalid: "The store doesn't accept that weight."
        case .cancelled, .failed: refusal.sentence
        }
    }

    /// What became of a wish that a crash or a full disk had cut off.
    static func sentence(_ recovery: Recovery) -> String {
        switch recovery {
        case .acknowledged: "A weight whose saving was cut off is in your diary now."
        case .deleted:
            "A weight whose saving was cut off had been deleted meanwhile. It stays so; notes are kept."
        case .removed: "A removal that was cut off is done now."
        case .conflict:
            "A change that was cut off met a newer version of the weight, which stays as it is."
        case .waiting(let refusal):
            "A weight still waits to be written. "
                + StoreOptions.completed(sentence(refusal, ""))
        case .undecided:
            "A weight whose saving was cut off is not in the store, and may have been deleted there. "
                + "Log it again if it is missing."
        case .notRemoved:
            "A removal that was cut off was not done: the store doesn't show the weight."
        case .unreadable:
            "A weight that was being saved can't be read: a newer openhealth wrote it. It is kept."
        }
    }
}
