import Foundation

/// The installed Chromium, if there is one.
///
/// The environment variable `CHROMIUM` sets another path.
enum Chromium {
    static let path: String? = {
        let environment = ProcessInfo.processInfo.environment
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        if let named = environment["CHROMIUM"] {
            return FileManager.default.isExecutableFile(atPath: named) ? named : nil
        }
        let names = ["chromium", "chromium-browser", "google-chrome"]
        return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    static var isInstalled: Bool { path != nil }

    /// The command-line options. The browser can reach only 127.0.0.1, as if there were no network.
    private static let options = [
        "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--disable-background-networking", "--disable-extensions",
        "--disable-component-update", "--disable-sync", "--no-first-run",
        "--no-default-browser-check", "--hide-scrollbars", "--mute-audio",
        "--password-store=basic", "--lang=en-US",
        "'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'",
    ]

    /// Starts Chromium with the two pipes of its protocol, and a temporary profile folder.
    ///
    /// It ends when the first pipe is closed, at the latest when this process ends.
    static func start(_ path: String, input: Pipe, output: Pipe) throws {
        let profile = FileManager.default.temporaryDirectory
            .appendingPathComponent("BrowserTests-\(UUID().uuidString)").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c",
            """
            "$0" \(options.joined(separator: " ")) --user-data-dir="$1" about:blank \
            3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null; rm -rf "$1"
            """,
            path, profile,
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
    }
}
