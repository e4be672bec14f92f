/// Command-line arguments that may contain any byte except 0.
///
/// A Swift string can't hold invalid UTF-8. Such a byte is represented by a scalar of the last
/// private-use plane: U+10FF00 plus the byte.
enum CommandLineText {
    private static let plane: UInt32 = 0x10_FF00

    static func raw(_ byte: UInt8) -> String {
        Unicode.Scalar(plane + UInt32(byte)).map { String($0) } ?? ""
    }

    /// Returns the bytes that a process receives, truncated at the first 0.
    static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.value == 0 { break }
            if scalar.value > plane, scalar.value <= plane + 0xFF {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes += Array(String(scalar).utf8)
            }
        }
        return bytes
    }

    /// Quotes an argument for bash, for the reproduction of a finding.
    static func quoted(_ text: String) -> String {
        let bytes = bytes(text)
        let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "'") }
        if isPlain { return "'" + text + "'" }
        let escaped = bytes.map { byte -> String in
            if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "'"), byte != UInt8(ascii: "\\") {
                return String(Unicode.Scalar(byte))
            }
            let hex = String(byte, radix: 16)
            return "\\x" + (hex.count == 1 ? "0" + hex : hex)
        }
        return "$'" + escaped.joined() + "'"
    }
}
