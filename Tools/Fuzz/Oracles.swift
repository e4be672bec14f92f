import Foundation

/// Checks that apply to every process of the command.
struct Oracles {
    let findings: Findings
    /// Texts that errors must not contain: values and notes planted in the stores.
    var secrets: [String] = []
    /// The maximum expected memory in bytes.
    var memory = 500 << 20

    static let exits: Set<Int32> = [0, 1, 2, 3, 64]
    private static let traps = ["Fatal error", "fatal error", "Crash", "Assertion failed"]

    /// Checks a run, and adds what is wrong to the findings. Returns whether the process exited by
    /// itself with an allowed status.
    @discardableResult
    func check(
        _ run: CommandRun, _ command: TestedCommand, _ arguments: [String],
        exits: Set<Int32> = Oracles.exits, files: [String] = []
    ) -> Bool {
        let name = arguments.first { !$0.hasPrefix("-") } ?? ""
        func found(_ kind: String, _ words: String) {
            let errorOutput = String(run.errorText.prefix(600))
            findings.add(
                Finding(
                    kind: "\(kind) in \(name)", words: words, files: files,
                    lines: [command.shellLine(arguments), errorOutput]))
        }
        if run.isHanging {
            found("hang", "no end after \(Int(run.seconds)) s")
            return false
        }
        if let signal = run.signal {
            found("signal \(signal)", "\(run.errorText.prefix(200))")
            return false
        }
        guard let status = run.status, exits.contains(status) else {
            found("exit \(run.status ?? -1)", "\(run.errorText.prefix(200))")
            return false
        }
        if run.peakMemory > memory { found("memory", "\(run.peakMemory >> 20) MiB") }
        let errorOutput = run.errorText
        if let trap = Oracles.traps.first(where: errorOutput.contains) {
            found("trap text", "standard error says \(trap)")
        }
        if let secret = secrets.first(where: errorOutput.contains) {
            found("health value in an error", "standard error holds \(secret)")
        }
        if status == 1 || status == 64, errorOutput.isEmpty, run.output.isEmpty {
            found("silence", "exit \(status) without a word")
        }
        return true
    }

    /// Returns whether the bytes are JSON, according to Foundation's parser.
    static func isJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])) != nil
    }

    /// Returns whether every line that isn't empty is a JSON value.
    static func isJSONLines(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: UInt8(ascii: "\n")).allSatisfy { isJSON(Array($0)) }
    }

    /// Properties of a CSV text according to RFC 4180.
    struct CSV {
        /// The numbers of columns in its rows.
        var columns: Set<Int> = []
        /// Whether a quoted field is not closed.
        var isOpen = false
        /// Whether a field begins like a spreadsheet formula. Signs are allowed, because numbers
        /// have them.
        var hasFormula = false

        init(_ bytes: [UInt8]) {
            var count = 1
            var isAtStart = true
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "\""): isOpen.toggle()
                case UInt8(ascii: ",") where !isOpen:
                    count += 1
                    isAtStart = true
                case UInt8(ascii: "\n") where !isOpen:
                    columns.insert(count)
                    count = 1
                    isAtStart = true
                default:
                    let isFormula = byte == UInt8(ascii: "=") || byte == UInt8(ascii: "@")
                    if isAtStart, isFormula { hasFormula = true }
                    isAtStart = false
                }
            }
            if count > 1 || !isAtStart { columns.insert(count) }
        }
    }

    /// Returns whether text contains control characters other than line feeds, or characters that
    /// change the text direction.
    static func hasControls(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
            ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value)
                || (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
        }
    }

    /// Parses a JSON object of the command's output; empty if the output isn't one.
    static func object(_ bytes: [UInt8]) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    }
}
