import Foundation

/// The person's browser, started without a shell.
enum WebBrowser {
    #if os(macOS)
        private static let command = "open"
    #else
        private static let command = "xdg-open"
    #endif

    /// Opens a file, or says the address where there is no browser.
    static func open(_ file: URL, orSay address: String) {
        guard let program = program(ProcessInfo.processInfo.environment["PATH"] ?? "") else {
            return say(address)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [file.absoluteString]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { if $0.terminationStatus != 0 { say(address) } }
        do { try process.run() } catch { say(address) }
    }

    private static func program(_ path: String) -> String? {
        path.split(separator: ":").filter { $0.hasPrefix("/") }.map { $0 + "/" + command }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static func say(_ address: String) {
        Message.write("No browser has opened the pages; open this address in yours: \(address)")
    }
}
