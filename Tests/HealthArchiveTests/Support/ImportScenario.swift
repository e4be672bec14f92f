import Foundation
import HealthTesting

/// A sequence of exports and requests of devices, and the expected store after each of them, read
/// from `Tests/Scenarios/imports` and `intake`. The READMEs there describe the format.
struct ImportScenario: Sendable, CustomStringConvertible {
    enum Source: Sendable {
        /// Lines inside `<HealthData>`.
        case export(ExportFrame, [String])
        /// A complete file.
        case raw([String])
        /// The file of the last export again, with the given name if there is one.
        case again
        /// No import: a user's choice, then expectations.
        case choice([String])
        /// A request of a device.
        case request(RequestFrame, [String])
        /// The undo of the import with this number.
        case undo(Int64)
        /// The restoring of what complete runs of this device removed.
        case restore(String)
        /// The deletion of all tombstones of samples with UUIDs.
        case purge
    }

    struct RequestFrame: Sendable {
        var dialect: String
        var device: String
        var time: String
        var headers: [(name: String, value: String)] = []
    }

    struct ExportFrame: Sendable {
        var date: String?
        var locale = "en_US"
        /// The name of a file `dtd/NAME.dtd`; nil for an export without a document type.
        var documentType: String?
        /// The text before whose last occurrence the export is truncated.
        var cut: String?
    }

    struct Step: Sendable {
        var source: Source
        var expectations: [Expectation] = []
        var line: Int
    }

    struct Expectation: Sendable {
        var text: String
        var line: Int
    }

    var title: String
    var file: String
    var line: Int
    /// The time zone that the user specifies; nil for none.
    var zone: String?
    var systemZone = "UTC"
    var steps: [Step] = []

    var description: String { "\(file):\(line) \(title)" }
}

/// The error for a scenario file that can't be read.
struct ScenarioFault: Error, CustomStringConvertible {
    var description: String
}

extension ImportScenario {
    static let folder = ProjectFiles.scenarios.appending(path: "imports")

    /// The scenarios of imports alone.
    static let imports = all(in: folder)
    /// The scenarios with requests of devices.
    static let intake = all(in: ProjectFiles.scenarios.appending(path: "intake"))

    /// All scenarios of a folder's files, in order. A file that can't be read is a failing one.
    private static func all(in folder: URL) -> [Result<ImportScenario, ScenarioFault>] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().flatMap {
            name -> [Result<ImportScenario, ScenarioFault>] in
            do {
                return try read(name, in: folder).map { .success($0) }
            } catch {
                return [.failure(ScenarioFault(description: "\(name): \(error)"))]
            }
        }
    }

    private static func read(_ name: String, in folder: URL) throws -> [ImportScenario] {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        var reader = ScenarioReader(file: name)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            try reader.take(String(line), at: index + 1)
        }
        return try reader.finish()
    }
}

/// Parses the lines of a scenario file one by one.
struct ScenarioReader {
    private enum Part { case head, body, expectations }

    let file: String
    private var scenarios: [ImportScenario] = []
    private var definitions: [String: String] = [:]
    private var part = Part.head

    init(file: String) { self.file = file }

    mutating func take(_ line: String, at number: Int) throws {
        let text = line.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("#") { return }
        if text.hasPrefix("=== ") {
            scenarios.append(
                ImportScenario(title: String(text.dropFirst(4)), file: file, line: number))
            part = .head
        } else if text.hasPrefix("== ") {
            try beginStep(String(text.dropFirst(3)), at: number)
        } else if text == "-- expect" {
            part = .expectations
        } else if !text.isEmpty || part == .body {
            try content(text.isEmpty ? "" : line, at: number)
        }
    }

    private mutating func content(_ line: String, at number: Int) throws {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        if words.count == 3, words[0] == "let", part != .expectations,
            words[1].first?.isUppercase == true
        {
            definitions[words[1]] = expanded(words[2])
            return
        }
        guard let scenario = scenarios.indices.last else {
            throw fault("a line before any ===", number)
        }
        switch part {
        case .head:
            guard words.count == 2 else { throw fault("neither “zone” nor “system”", number) }
            switch words[0] {
            case "zone": scenarios[scenario].zone = words[1]
            case "system": scenarios[scenario].systemZone = words[1]
            default: throw fault("“\(words[0])” is no setting", number)
            }
        case .body:
            guard let step = scenarios[scenario].steps.indices.last else { return }
            for line in repeated(expanded(line)) {
                scenarios[scenario].steps[step].source.append(line)
            }
        case .expectations:
            guard let step = scenarios[scenario].steps.indices.last else { return }
            scenarios[scenario].steps[step].expectations.append(
                .init(text: line.trimmingCharacters(in: .whitespaces), line: number))
        }
    }

    /// Parses `export 2024-05-01 10:00:00 +0200 locale de_DE dtd 14 cut before <Correlation`.
    private mutating func beginStep(_ text: String, at number: Int) throws {
        guard let scenario = scenarios.indices.last else {
            throw fault("a step before any ===", number)
        }
        var words = text.split(separator: " ").map(String.init)
        let kind = words.removeFirst()
        let source: ImportScenario.Source
        switch kind {
        case "again": source = .again
        case "raw": source = .raw([])
        case "choose": source = .choice([])
        case "export":
            var frame = ImportScenario.ExportFrame()
            if let first = words.first, first.first?.isNumber == true, words.count >= 3 {
                frame.date = words[0...2].joined(separator: " ")
                words.removeFirst(3)
            }
            while words.count >= 2 {
                switch words.removeFirst() {
                case "locale": frame.locale = words.removeFirst()
                case "dtd": frame.documentType = words.removeFirst()
                case "cut":
                    frame.cut = words.joined(separator: " ")
                    words.removeAll()
                case let word: throw fault("“\(word)” says nothing of an export", number)
                }
            }
            source = .export(frame, [])
        case "receive": source = .request(try requestFrame(words, at: number), [])
        case "undo":
            guard let importNumber = words.first.flatMap(Int64.init) else {
                throw fault("an undo without a number", number)
            }
            source = .undo(importNumber)
        case "restore": source = .restore(words.joined(separator: " "))
        case "purge": source = .purge
        default: throw fault("“\(kind)” is no step", number)
        }
        scenarios[scenario].steps.append(.init(source: source, line: number))
        part = .body
    }

    /// Parses `open-wearables phone 2024-05-01T10:00:00Z automation-aggregation=Hours`.
    private func requestFrame(
        _ words: [String], at number: Int
    ) throws -> ImportScenario.RequestFrame {
        guard words.count >= 3 else { throw fault("no dialect, device and time", number) }
        var frame = ImportScenario.RequestFrame(
            dialect: words[0], device: words[1], time: words[2])
        for word in words.dropFirst(3) {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw fault("“\(word)” is no header", number) }
            frame.headers.append((parts[0], parts[1]))
        }
        return frame
    }

    mutating func finish() throws -> [ImportScenario] {
        for scenario in scenarios where scenario.steps.allSatisfy({ $0.expectations.isEmpty }) {
            throw fault("“\(scenario.title)” expects nothing", scenario.line)
        }
        return scenarios
    }

    private func expanded(_ line: String) -> String {
        var line = line
        for (name, text) in definitions.sorted(by: { $0.key.count > $1.key.count }) {
            line = line.replacingOccurrences(of: "$" + name, with: text)
        }
        return line
    }

    /// Returns the lines of `each 00 59 a line with #N`: one for each number, which has two digits.
    private func repeated(_ line: String) -> [String] {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count == 4, words[0] == "each", let first = Int(words[1]),
            let last = Int(words[2]), first <= last
        else { return [line] }
        return (first...last).map { number in
            let digits = number < 10 ? "0\(number)" : String(number)
            return words[3].replacingOccurrences(of: "#N", with: digits)
        }
    }

    private func fault(_ text: String, _ line: Int) -> ScenarioFault {
        ScenarioFault(description: "line \(line): \(text)")
    }
}

extension ImportScenario.Source {
    fileprivate mutating func append(_ line: String) {
        switch self {
        case .export(let frame, let lines): self = .export(frame, lines + [line])
        case .raw(let lines): self = .raw(lines + [line])
        case .choice(let lines): self = line.isEmpty ? self : .choice(lines + [line])
        case .request(let frame, let lines): self = .request(frame, lines + [line])
        case .again, .undo, .restore, .purge: break
        }
    }
}

extension ImportScenario.Source {
    /// The bytes of the file; nil if there is no separate file. `\xFF` stands for a byte.
    var bytes: [UInt8]? {
        switch self {
        case .again, .choice, .undo, .restore, .purge, .request: return nil
        case .raw(let lines):
            return ImportScenario.Source.unescaped(lines.joined(separator: "\n"))
        case .export(let frame, let lines):
            var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            if let name = frame.documentType {
                let file = ImportScenario.folder.appending(path: "dtd/\(name).dtd")
                text +=
                    (try? String(contentsOf: file, encoding: .utf8)) ?? "<!DOCTYPE missing \(name)"
            }
            text += "<HealthData locale=\"\(frame.locale)\">\n"
            if let date = frame.date { text += " <ExportDate value=\"\(date)\"/>\n" }
            text += lines.joined(separator: "\n") + "\n</HealthData>\n"
            if let cut = frame.cut, let range = text.range(of: cut, options: .backwards) {
                text = String(text[..<range.lowerBound])
            }
            return ImportScenario.Source.unescaped(text)
        }
    }

    private static func unescaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "\\"), index + 3 < source.count,
                source[index + 1] == UInt8(ascii: "x"),
                let byte = UInt8(
                    String(decoding: source[index + 2...index + 3], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 4
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return bytes
    }
}
