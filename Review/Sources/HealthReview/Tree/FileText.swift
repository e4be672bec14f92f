import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The text of a file to review.
struct FileText {
    let text: String
    /// Whether all bytes were valid UTF-8. Invalid ones are replaced by U+FFFD.
    let isValidUTF8: Bool

    /// Why a file wasn't read.
    struct Unreadable: Error {
        var reason: String
    }

    /// The size limit in bytes, far above that of handwritten code.
    static let largest = 8 << 20

    /// Reads a Swift file, without the byte order mark and with invalid bytes replaced.
    static func swift(at path: String) throws(Unreadable) -> FileText {
        let bytes = try bytes(at: path)
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw Unreadable(reason: "UTF-16, where Swift is written in UTF-8")
        }
        if bytes.contains(0) { throw Unreadable(reason: "binary, no text") }
        // Columns count from after the byte order mark, as in editors and compilers.
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        if let text = String(validating: content, as: UTF8.self) {
            return FileText(text: text, isValidUTF8: true)
        }
        return FileText(text: String(decoding: content, as: UTF8.self), isValidUTF8: false)
    }

    /// Reads a property list, entitlements or an Xcode project. Binary property lists are converted
    /// to XML.
    static func project(at path: String) throws(Unreadable) -> FileText {
        let bytes = try bytes(at: path)
        if bytes.starts(with: Array("bplist".utf8)) {
            guard
                let list = try? PropertyListSerialization.propertyList(
                    from: Data(bytes), format: nil),
                let xml = try? PropertyListSerialization.data(
                    fromPropertyList: list, format: .xml, options: 0)
            else { throw Unreadable(reason: "a damaged property list") }
            return FileText(text: String(decoding: xml, as: UTF8.self), isValidUTF8: true)
        }
        return FileText(text: String(decoding: bytes, as: UTF8.self), isValidUTF8: true)
    }

    private static func bytes(at path: String) throws(Unreadable) -> [UInt8] {
        // Non-blocking, in case a pipe has replaced the file.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Unreadable(reason: SystemReason.last) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Unreadable(reason: SystemReason.last) }
        guard FileKind(status) == .file else { throw Unreadable(reason: "no ordinary file") }
        guard status.st_size <= largest else {
            throw Unreadable(reason: "larger than \(largest >> 20) MiB")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            }
            if got < 0 {
                if errno == EINTR { continue }
                throw Unreadable(reason: SystemReason.last)
            }
            if got == 0 { break }
            count += got
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
