import Foundation

/// Other programs of this machine.
enum InstalledProgram {
    /// Returns the path of a program in the folders of `$PATH`; nil if there is none. Relative
    /// folders are left out.
    static func path(of name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
