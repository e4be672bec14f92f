import HealthEngine
package import HealthStorage

/// The end of a person's log.
package struct LogHead: Hashable, Sendable {
    /// The number of the last entry.
    package var number: Int64
    /// The hash of the last entry, which covers all entries before.
    package var hash: [UInt8]
    /// Counts the times that the person's data was set back, for example by a restored backup.
    package var epoch: Int64

    /// The head of a log without an entry.
    package static let empty = LogHead(
        number: 0, hash: Array(repeating: 0, count: 32), epoch: 0)

    /// The position of a store that has the changes of all entries.
    package var position: LogPosition {
        LogPosition(number: number, hash: HexadecimalText.text(hash))
    }
}

/// Bytes as lower-case hexadecimal digits.
enum HexadecimalText {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
