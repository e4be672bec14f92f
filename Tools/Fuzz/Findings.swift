import Foundation

/// A violation of an expected property.
struct Finding {
    /// The kind, such as "signal 4 in stats". Findings of the same kind are counted together.
    var kind: String
    /// The observation, such as the values that were found; may be empty.
    var words: String
    /// The paths of the files that reproduce it.
    var files: [String] = []
    /// The shell commands or requests that reproduce it.
    var lines: [String] = []
}

/// Counts findings by kind, and prints and saves the first two of each kind.
final class Findings {
    let fuzzer: String
    let seed: UInt64
    let folder: String
    private(set) var counts: [String: Int] = [:]
    /// The number of the current case.
    var number = 0

    /// The maximum number of findings of one kind to print and save.
    private static let maximumPerKind = 2

    init(fuzzer: String, seed: UInt64, folder: String) {
        self.fuzzer = fuzzer
        self.seed = seed
        self.folder = folder
    }

    func add(_ finding: Finding) {
        counts[finding.kind, default: 0] += 1
        let count = counts[finding.kind] ?? 0
        guard count <= Findings.maximumPerKind else { return }
        let place = save(finding)
        Progress.print(
            "FOUND \(finding.kind): \(finding.words)\n  repeat: --only \(fuzzer) --seed \(seed) "
                + "--from \(number) --cases 1\n  kept: \(place)")
    }

    private func save(_ finding: Finding) -> String {
        let name = finding.kind.map { $0.isLetter || $0.isNumber ? $0 : "-" }
        let place = "\(folder)/\(fuzzer)-\(seed)-\(number)-\(String(name.prefix(60)))"
        let files = FileManager.default
        try? files.createDirectory(atPath: place, withIntermediateDirectories: true)
        // Uses `cp`, because a folder may contain a FIFO or an endless link.
        let copying = Process()
        copying.executableURL = URL(filePath: "/bin/cp")
        copying.arguments = ["-a"] + finding.files + [place]
        copying.standardError = FileHandle.nullDevice
        if !finding.files.isEmpty, (try? copying.run()) != nil { copying.waitUntilExit() }
        let text =
            ([finding.kind, finding.words] + finding.lines).joined(separator: "\n") + "\n"
        try? text.write(toFile: "\(place)/finding.txt", atomically: true, encoding: .utf8)
        return place
    }
}

/// Progress messages on standard output.
enum Progress {
    static func print(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
