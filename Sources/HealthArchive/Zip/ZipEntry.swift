/// One file of a ``ZipArchive``, as the archive's directory describes it.
public struct ZipEntry: Hashable, Sendable {
    /// The path within the archive, with `/` between its parts.
    ///
    /// Compare it with `==`: Swift compares strings by canonical equivalence, so the decomposed
    /// names that a Mac writes equal composed ones.
    public let path: String
    /// The size of the data.
    public let byteCount: Int64
    /// The size that the data take in the archive.
    public let compressedByteCount: Int64
    /// The compression: 0 stored, 8 deflated.
    public let method: Int
    /// Whether the data are encrypted.
    public let isEncrypted: Bool
    /// The CRC-32 of the data.
    public let checksum: UInt32
    /// Where the entry's local header stands in the file.
    let headerOffset: Int64
    /// Where the next entry or the directory begins: the data end at or before it.
    var limit: Int64
}

extension ZipEntry {
    /// The path without what stands before the last `/`.
    public var name: Substring { path.split(separator: "/").last ?? path[...] }

    /// Whether the entry is what a Mac adds to an archive beside the files a person put there.
    static func isMacJunk(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return parts.contains("__MACOSX") || parts.last == ".DS_Store"
            || parts.last?.hasPrefix("._") == true
    }

    /// Whether the path stays below the place where someone would unpack the archive.
    static func isSafe(_ path: String) -> Bool {
        if path.isEmpty || path.hasPrefix("/") { return false }
        if path.utf8.contains(UInt8(ascii: "\\")) || path.utf8.contains(0) { return false }
        // A drive, as in `C:export.xml`.
        if path.utf8.count > 1, path.utf8.dropFirst().first == UInt8(ascii: ":") { return false }
        return !path.split(separator: "/").contains("..")
    }

    /// The text of a name's bytes: UTF-8 whatever the flag says, since most writers forget the
    /// flag (ExportFormat §1), else code page 437, zip's own.
    static func text(of bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        for byte in bytes {
            text.unicodeScalars.append(
                byte < 128 ? Unicode.Scalar(byte) : codePage437[Int(byte) - 128])
        }
        return text
    }

    private static let codePage437 = Array(
        ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
            + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}")
            .unicodeScalars)
}
