import Foundation
import HealthTesting
import Testing

/// A file of `Fixtures/golden`.
struct GoldenFile {
    static let folder = ProjectFiles.fixtures.appendingPathComponent("golden")
    static let areWrittenAnew =
        ProcessInfo.processInfo.environment["OPENHEALTH_UPDATE_FIXTURES"] == "1"

    private let name: String
    private var url: URL { GoldenFile.folder.appendingPathComponent(name) }

    init(_ name: String) { self.name = name }

    static func names(in part: String) throws -> [String] {
        try FileManager.default
            .contentsOfDirectory(atPath: folder.appendingPathComponent(part).path).sorted()
    }

    func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

    /// Compares an output with the file and reports the first difference, since whole pages are
    /// unreadable.
    func check(
        _ output: String, in folder: TemporaryFolder,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = GoldenText.stable(output, in: folder)
        if GoldenFile.areWrittenAnew {
            try Data(found.utf8).write(to: url)
            return
        }
        let expected = (try? text()) ?? ""
        // Strings with different bytes can be equal.
        guard !found.utf8.elementsEqual(expected.utf8) else { return }
        let same = zip(found.utf8, expected.utf8).prefix(while: { $0.0 == $0.1 }).count
        func place(_ text: String) -> String {
            String(decoding: text.utf8.dropFirst(max(0, same - 80)).prefix(200), as: UTF8.self)
        }
        Issue.record(
            "\(name), byte \(same): expected “\(place(expected))”, found “\(place(found))”",
            sourceLocation: sourceLocation)
    }
}

/// Conversions between outputs and golden files.
enum GoldenText {
    /// Replaces the parts of an output that change between runs. Nothing else is left out.
    ///
    /// - {folder} and {golden}: the folders of the store and of these files
    /// - {uuid}, {id}: random identifiers (except those of imported samples), and short ones in
    ///   lists
    /// - {now}: a date from 2025 on with its time, in digits or words; Dora's dates are in 2024
    /// - {days}: the age of the newest data
    /// - {seconds}, and 0 in JSON: durations
    /// - {size}, and 0 in JSON: the size of the store's file, which depends on SQLite
    /// - {port}, {key}: the server's port, and the key of its forms
    static func stable(_ output: String, in folder: TemporaryFolder) -> String {
        var text = output.replacing(folder.path, with: "{folder}")
        text.replace(GoldenFile.folder.path, with: "{golden}")
        let uuid = #/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#
        text.replace(uuid.ignoresCase(), with: "{uuid}")
        text.replace(#/  [0-9a-f]{8}  (?=20\d\d-)/#, with: "  {id}      ")
        text.replace(#/"[0-9A-F]{32}"/#, with: "\"{id}\"")
        let time =
            #/20(?:2[5-9]|[3-9]\d)-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.]*(?:Z| ?[+\-]\d\d:?\d\d)?)?/#
        text.replace(time, with: "{now}")
        let words = #/(?:[A-Z][a-z][a-z] )?\d\d? [A-Z][a-z]+ 20(?:2[5-9]|[3-9]\d)(?:, \d\d:\d\d)?/#
        text.replace(words, with: "{now}")
        // Seconds since 2001 in a CSV column.
        text.replace(#/, (?:7[6-9]|[89]\d)\d{7}\.\d+/#, with: ", {now}")
        text.replace(#/in \d+\.\d s\./#, with: "in {seconds} s.")
        text.replace(#/seconds(\\?"):[\d.]+/#) { "seconds\($0.output.1):0" }
        text.replace(#/"bytes":\d+,"file":"health/#, with: "\"bytes\":0,\"file\":\"health")
        text.replace(#/"sizeText":"[^"]*","sources/#, with: "\"sizeText\":\"{size}\",\"sources")
        text.replace(#/<dt>Size</dt><dd>[^<]*/#, with: "<dt>Size</dt><dd>{size}")
        text.replace(#/\d+ days old/#, with: "{days} days old")
        text.replace(#/127\.0\.0\.1:\d+/#, with: "127.0.0.1:{port}")
        text.replace(#/name="csrf" value="[^"]*"/#, with: "name=\"csrf\" value=\"{key}\"")
        return text
    }

    /// Splits a line into words at spaces. Single quotes group words.
    static func words(_ line: String, in folder: TemporaryFolder) -> [String] {
        var words: [String] = []
        let parts = line.split(separator: "'", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index.isMultiple(of: 2) {
                words += part.split(separator: " ").map(String.init)
            } else {
                words.append(String(part))
            }
        }
        return words.map {
            $0.replacing("{folder}", with: folder.path)
                .replacing("{golden}", with: GoldenFile.folder.path)
        }
    }

    /// Returns messages with a mark before each line, or an empty string.
    static func marked(_ errors: String) -> String {
        let text = errors.trimmingCharacters(in: .newlines)
        guard !text.isEmpty else { return "" }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "! " + $0 + "\n" }.joined()
    }

    /// Python that prints a database's tables with their rows, or an archive's entries.
    static let showing = """
        import json, sqlite3, sys, zipfile
        if zipfile.is_zipfile(sys.argv[1]):
            with zipfile.ZipFile(sys.argv[1]) as archive:
                for name in archive.namelist():
                    print("==", name)
                    print(archive.read(name).decode())
            sys.exit()
        file = sqlite3.connect(sys.argv[1])
        query = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
        for kind, name, sql in file.execute(query).fetchall():
            print(sql + ";")
            if kind == "table":
                for row in file.execute(f'SELECT * FROM "{name}"'):
                    print("--", json.dumps(row, ensure_ascii=False, default=bytes.hex))
        """
}
