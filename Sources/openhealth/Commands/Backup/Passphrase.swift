import Foundation

/// A passphrase from a file. It is never printed.
struct Passphrase {
    let bytes: [UInt8]

    private static let minimum = 8
    private static let maximum = 1024

    /// Reads the first line of a file, without its line end.
    ///
    /// - Throws: ``UsageError`` if the file can't be read, or the line is empty, too short or too
    ///   long.
    static func read(_ path: String) throws -> Passphrase {
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: maximum + 2)
        else { throw UsageError("The passphrase file \(path.printable) can't be read.") }
        var line = Array(data.prefix { $0 != UInt8(ascii: "\n") })
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard (minimum...maximum).contains(line.count) else {
            throw UsageError(
                "The passphrase in the first line of \(path.printable) must have \(minimum) to "
                    + "\(maximum) bytes.")
        }
        return Passphrase(bytes: line)
    }
}
