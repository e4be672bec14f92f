import HealthEngine

/// An electrocardiogram in an export, without the person's name and date of birth.
///
/// ```
/// Name,Jane Doe                              left out
/// Date of Birth,"Jan 8, 2002"                left out
/// Recorded Date,2026-05-30 16:32:18 -0700    recognized by its format: labels are localized
/// Classification,Sinus Rhythm
/// …
/// -265.868                                   about 15,000 of them, with a point or a comma
/// ```
/// The lines before the recorded date identify the person in every language (ExportFormat §4.2). A
/// file is rejected if that date isn't in its second to fourth line, if a later one of its first 32
/// lines repeats a value of the lines before the date, or if it has no voltage.
struct ElectrocardiogramFile {
    enum Fault: String, Error {
        case noDate = "the recorded date is missing"
        case noVoltages = "no voltages"
        case namesPerson = "the heading identifies the person"
    }

    /// The time of the recording, in seconds since 2001-01-01T00:00:00Z.
    var recorded: Double
    /// The lines from the recorded date on.
    var bytes: [UInt8]

    /// The lines that an export from a store writes in place of the person's lines: labels without
    /// values.
    static let anonymousHeader = Array("Name,\nDate of Birth,\n".utf8)

    private static let firstDateLines = 1...3
    private static let maximumHeadingLines = 32

    init(_ file: [UInt8]) throws(Fault) {
        let lines = file.split(
            maxSplits: ElectrocardiogramFile.maximumHeadingLines, omittingEmptySubsequences: false
        ) { $0 == UInt8(ascii: "\n") }
        let heading = lines.dropLast(
            lines.count > ElectrocardiogramFile.maximumHeadingLines ? 1 : 0)
        guard
            let dated = heading.firstIndex(where: { ElectrocardiogramFile.date($0) != nil }),
            ElectrocardiogramFile.firstDateLines.contains(dated),
            let recorded = ElectrocardiogramFile.date(heading[dated])
        else { throw .noDate }
        self.recorded = recorded
        let rest = heading[(dated + 1)...]
        for person in heading[..<dated].compactMap(ElectrocardiogramFile.value)
        where rest.contains(where: { $0.holds(person) }) {
            throw .namesPerson
        }
        bytes = Array(file[heading[dated].startIndex...])
        guard bytes.split(separator: UInt8(ascii: "\n")).contains(where: \.isVoltage) else {
            throw .noVoltages
        }
    }

    /// Returns the bytes after the first comma, without surrounding quotes, spaces and control
    /// characters; nil if there is no comma or nothing else follows it.
    private static func value(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let comma = line.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let value = line[(comma + 1)...].trimmed
        return value.isEmpty ? nil : value
    }

    private static func date(_ line: ArraySlice<UInt8>) -> Double? {
        value(line)?.withUnsafeBufferPointer { ExportDate.seconds($0) }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without surrounding quotes, spaces and control characters.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isEdge: (UInt8) -> Bool = { $0 <= 0x20 || $0 == UInt8(ascii: "\"") }
        guard let first = firstIndex(where: { !isEdge($0) }),
            let last = lastIndex(where: { !isEdge($0) })
        else { return self[endIndex...] }
        return self[first...last]
    }

    fileprivate func holds(_ part: ArraySlice<UInt8>) -> Bool {
        guard part.count <= count else { return false }
        return (startIndex...(endIndex - part.count)).contains {
            self[$0..<($0 + part.count)].elementsEqual(part)
        }
    }

    /// Whether the line is a number or looks like one: at least one digit, and otherwise only digits,
    /// minus signs, points and commas.
    fileprivate var isVoltage: Bool {
        let line = trimmed
        if ElectrocardiogramLine(line)?.number != nil { return true }
        return line.contains { (48...57).contains($0) }
            && line.allSatisfy { (48...57).contains($0) || "-.,".utf8.contains($0) }
    }
}
