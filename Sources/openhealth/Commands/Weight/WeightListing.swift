import Foundation
import HealthCalendar
import HealthDashboard
import HealthStorage
import HealthSync
import OpenHealthKit

/// The output of `openhealth weight list`.
struct WeightListing: Sendable {
    /// The maximum number of weights in text output without `--limit`. JSON output has all.
    private static let defaultLimit = 30

    let context: WeightDiary.CommandContext
    let span: WeightSpan
    let limit: Int?
    let unit: WeightUnit?

    private struct Row {
        let number: Int
        let entry: MirrorEntry
        let attachments: [Attachment]
    }

    func output() async throws -> String {
        do {
            let diary = try await WeightDiary(context)
            try await diary.refresh()
            let defaultUnit = try await diary.preferredUnit()
            let words = WeightMessages(unit: unit ?? defaultUnit, calendar: context.calendar)
            let entries = try await diary.entries()
            let unattached = try await diary.mirror.unattached()
            let chosen = entries.enumerated().filter { span.contains($0.element.start) }
            let maximum = limit ?? (context.isJSON ? chosen.count : Self.defaultLimit)
            let shown = chosen.prefix(maximum)
            let attachments = try await diary.mirror.attachments(of: shown.map(\.element.id))
            let rows = shown.map {
                Row(
                    number: $0.offset + 1, entry: $0.element,
                    attachments: attachments[$0.element.id] ?? [])
            }
            if context.isJSON { return json(rows, unattached, diary.mirror, words) }
            let names = WeightID.short(entries.map(\.id) + unattached.map(\.id))
            return head(chosen.map(\.element), words) + table(rows, names, words)
                + notShownNote(chosen.count - rows.count) + list(unattached, names, words)
        } catch {
            throw UserFacingSyncError(error)
        }
    }

    private func json(
        _ rows: [Row], _ unattached: [Attachment], _ mirror: Mirror, _ words: WeightMessages
    ) -> String {
        JSONText.object([
            "unit": .string(words.unit.rawValue),
            "timeZone": .string(words.calendar.calendar.timeZone.identifier),
            "entries": .array(
                rows.map { row in
                    guard
                        case .object(let pairs) = words.json(row.entry, row.attachments, mirror)
                    else { return .null }
                    return .object([("number", .integer(row.number))] + pairs)
                }),
            "unattached": .array(unattached.map(words.json)),
        ]).text + "\n"
    }

    // MARK: - Text

    private func head(_ entries: [MirrorEntry], _ words: WeightMessages) -> String {
        guard let latest = entries.first else {
            let range = span.from == nil && span.to == nil ? "" : " in that period"
            return """
                No weights\(range). Either none was recorded, or reading is not allowed; the store \
                doesn't report which. Add one: openhealth weight log 82.4kg
                """.wrapped() + "\n"
        }
        return
            ("\(words.text(latest)) on \(words.moment(latest.start)), the latest of "
            + "\(counted(entries.count, "weight", "weights")).").wrapped() + "\n\n"
    }

    private func table(_ rows: [Row], _ names: [UUID: String], _ words: WeightMessages) -> String {
        guard !rows.isEmpty else { return "" }
        var table = Table([
            .number("no."), .text("id", maximumWidth: 32), .text("when"),
            .number(words.unit == .stone ? "weight" : words.unit.rawValue), .text("source"),
        ])
        for row in rows {
            table.rows.append([
                String(row.number), names[row.entry.id] ?? "",
                DateText.minute(row.entry.start.timeIntervalSinceReferenceDate, words.calendar),
                WeightText.number(row.entry.kilograms, in: words.unit), source(row.entry),
            ])
        }
        var lines = table.text.split(separator: "\n").map(String.init)
        for (index, row) in rows.enumerated().reversed() where !row.attachments.isEmpty {
            let line = WeightMessages.line(row.attachments).wrapped(to: 74)
            lines.insert(
                contentsOf: line.split(separator: "\n").map { "      " + $0 }, at: index + 2)
        }
        return lines.map { $0 + "\n" }.joined() + note(rows)
    }

    private func source(_ entry: MirrorEntry) -> String {
        let name = entry.isOwn ? "this diary" : entry.sourceName + ", read only"
        return entry.state == .synced ? name : "not visible, " + name
    }

    private func note(_ rows: [Row]) -> String {
        guard rows.contains(where: { $0.entry.state == .notVisible }) else { return "" }
        return "\n"
            + ("Not visible: the store no longer returns the weight to the diary, but doesn't "
            + "report it as deleted. The diary keeps the weight but doesn't count it.").wrapped()
            + "\n"
    }

    private func notShownNote(_ count: Int) -> String {
        count > 0
            ? "\n\(counted(count, "older weight", "older weights")) not shown. Use --limit.\n" : ""
    }

    private func list(
        _ unattached: [Attachment], _ names: [UUID: String], _ words: WeightMessages
    ) -> String {
        guard !unattached.isEmpty else { return "" }
        var table = Table([
            .text("id", maximumWidth: 32), .text("of"), .text("kind"),
            .text("what", maximumWidth: 44),
        ])
        for attachment in unattached {
            let start = attachment.target.start?.timeIntervalSinceReferenceDate
            table.rows.append([
                names[attachment.id] ?? "", start.map(words.calendar.day) ?? "",
                WeightMessages.kind(attachment.content), WeightMessages.content(attachment.content),
            ])
        }
        return StoreOptions.completed(
            "\nNotes, tags and photos of deleted weights; openhealth weight remove ID removes "
                + "them:\n\n")
            + table.text
    }
}
