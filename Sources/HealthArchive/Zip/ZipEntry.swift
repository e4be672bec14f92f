/// A file in a ``ZipArchive``, as described by the archive's directory.
package struct ZipEntry: Hashable, Sendable {
    /// The path within the archive, with `/` as separator.
    ///
    /// Swift's `==` compares strings by canonical equivalence, so the decomposed names that macOS
    /// writes equal composed ones.
    package let path: String
    /// The uncompressed size in bytes.
    package let byteCount: Int64
    /// The compressed size in bytes.
    package let compressedByteCount: Int64
    /// The compression method: 0 stored, 8 deflated.
    package let method: Int
    /// Whether the data is encrypted.
    package let isEncrypted: Bool
    /// The CRC-32 of the uncompressed data.
    package let checksum: UInt32
    /// The offset of the entry's local header in the file.
    let headerOffset: Int64
    /// The offset of the next entry's header or of the directory. The data ends at or before it.
    var limit: Int64
}

extension ZipEntry {
    /// The last component of the path.
    package var name: Substring { path.split(separator: "/").last ?? path[...] }

    /// Returns whether a path is one that macOS adds beside the user's files: within `__MACOSX`, or
    /// with a last component that is `.DS_Store` or begins with `._`.
    static func isMacJunk(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"))
        guard let last = parts.last else { return false }
        return last.elementsEqual(".DS_Store".utf8) || last.starts(with: "._".utf8)
            || parts.contains { $0.elementsEqual("__MACOSX".utf8) }
    }

    /// Returns whether a path is not empty and stays below the folder that the archive is unpacked
    /// into, on Windows too.
    static func isSafe(_ path: String) -> Bool {
        if path.isEmpty || path.hasPrefix("/") { return false }
        if path.utf8.contains(UInt8(ascii: "\\")) || path.utf8.contains(0) { return false }
        // A Windows drive, as in `C:export.xml`.
        if path.utf8.count > 1, path.utf8.dropFirst().first == UInt8(ascii: ":") { return false }
        return !path.utf8.split(separator: UInt8(ascii: "/")).contains {
            $0.elementsEqual("..".utf8)
        }
    }

    /// Decodes a name as UTF-8, even without the UTF-8 flag, which writers often omit
    /// (ExportFormat §1). Invalid UTF-8 is decoded as code page 437, the default of zip.
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
