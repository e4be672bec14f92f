import HealthDashboard
import HealthIntake
import HealthStorage

/// The output of `import` for JSON lines.
enum JSONLinesText {
    static func text(_ report: JSONLinesReport) -> String {
        var parts = [counted(report.new, "new sample", "new samples")]
        if report.new < report.samples {
            let known = NumberText.grouped(Double(report.samples))
            parts[0] += " of \(known)"
        }
        if report.newDayNotes > 0 {
            parts.append(counted(report.newDayNotes, "note on a day", "notes on days"))
        }
        if report.newMedications > 0 {
            parts.append(counted(report.newMedications, "medication", "medications"))
        }
        let zone = report.homeZone.identifier
        let attachments =
            report.attachments > 0
            ? "Without \(counted(report.attachments, "attachment", "attachments")), of which the file "
                + "has no bytes.".wrapped() + "\n" : ""
        return
            "\(report.file.printable): \(parts.joined(separator: " and ")). Days are those of \(zone)."
            .wrapped() + "\n" + attachments
    }

    /// Returns a list of lines that weren't imported.
    static func rejections(_ report: JSONLinesReport) -> String {
        let lines = report.rejections.map { "  line \($0.line): \($0.reason.printable)\n" }.joined()
        let more = report.rejected > report.rejections.count ? "  …\n" : ""
        return "Not imported: \(counted(report.rejected, "line", "lines")).\n" + lines + more
    }

    static func json(_ report: JSONLinesReport) -> JSONText {
        .object([
            "file": .string(report.file), "samples": .integer(report.samples),
            "new": .integer(report.new), "dayNotes": .integer(report.dayNotes),
            "newDayNotes": .integer(report.newDayNotes),
            "medications": report.medications > 0 ? .integer(report.medications) : nil,
            "newMedications": report.medications > 0 ? .integer(report.newMedications) : nil,
            "rejected": .integer(report.rejected),
            "attachments": report.attachments > 0 ? .integer(report.attachments) : nil,
            "rejections": .array(
                report.rejections.map {
                    .object(["line": .integer($0.line), "reason": .string($0.reason)])
                }),
            "timeZone": .string(report.homeZone.identifier),
        ])
    }
}
