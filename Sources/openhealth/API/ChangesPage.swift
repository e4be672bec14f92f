import HealthCalendar
import HealthEngine
import HealthStorage

/// An answer of `/v1/changes`: samples as `export --format jsonl` writes them, and deletions.
struct ChangesPage: Sendable {
    var changes: StoredChanges
    /// The requested types, by code.
    var types: [Int32: SampleType]
    var binding: CursorBinding
    /// Whether the store has further changes, perhaps only hidden ones.
    var hasMore: Bool

    /// Whether it has neither samples nor deletions.
    var isEmpty: Bool { changes.samples.count == 0 && changes.deleted.isEmpty }

    /// Returns the answer, with times in a calendar's time zone.
    func json(_ calendar: CalendarBuckets) -> String {
        let lines = SampleLines(.jsonLines, calendar)
        let samples = changes.samples.exportedRuns.map { lines.text($0) }.joined()
        // Each line ends with a line feed, and strings contain none.
        let objects = samples.dropLast().replacing("\n", with: ",")
        return "{\"cursor\":" + JSONText.string(binding.cursor([changes.sequence])).text
            + ",\"more\":" + (hasMore ? "true" : "false") + ",\"samples\":[" + objects
            + "],\"deletions\":" + JSONText.array(changes.deleted.map(deletion)).text + "}\n"
    }

    private func deletion(_ deleted: DeletedSample) -> JSONText {
        .object([
            "uuid": .string("\(deleted.uuid)"),
            "type": .text(types[deleted.type]?.identifier),
            "syncIdentifier": deleted.syncIdentifier.map(JSONText.string),
        ])
    }
}
