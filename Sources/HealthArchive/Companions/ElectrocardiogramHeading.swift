/// The classification in the heading of a kept electrocardiogram.
///
/// Fields are recognized by position, because labels and values are in the language of the phone
/// (ExportFormat §4.2). A kept file begins with the recorded date, and the classification follows.
package struct ElectrocardiogramHeading: Hashable, Sendable {
    /// The classification as exported, such as "Sinus Rhythm" or "Sinusrhythmus"; nil if the line is
    /// missing, empty, not UTF-8 or longer than ``maximumLength`` characters.
    package var classification: String?

    /// The maximum number of characters of a classification.
    package static let maximumLength = 100

    /// Reads the heading of a kept file.
    ///
    /// - Parameter head: The first bytes of the file, with at least its first two lines.
    package init(_ head: [UInt8]) {
        let lines = head.split(maxSplits: 2, omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "\n")
        }
        // Without a third part, the second line may be incomplete.
        guard lines.count == 3, let line = String(validating: lines[1], as: UTF8.self),
            let comma = line.firstIndex(of: ",")
        else { return }
        let isEdge = { (character: Character) in character.isWhitespace || character == "\"" }
        var value = line[line.index(after: comma)...].drop(while: isEdge)
        while let last = value.last, isEdge(last) { value.removeLast() }
        if !value.isEmpty, value.count <= Self.maximumLength { classification = String(value) }
    }
}
