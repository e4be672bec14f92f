import Foundation

/// An export on disk: the XML file, a zip or a folder, with accompanying files.
struct ExportFile {
    var path: String
    var known: ExportDocument.Known?
    /// Whether it is valid, so that the import must succeed.
    var isValid: Bool { known != nil }
}

/// Writes exports to a folder.
struct ExportFiles {
    var folder: String
    /// 48 MiB of spaces, which compress to a small zip.
    private let bomb = [UInt8](repeating: UInt8(ascii: " "), count: 48 << 20)
    private static let names = [
        "export.xml", "Export.xml", "exportar.xml", "экспорт.xml", "导出.xml", "書き出したデータ.xml",
    ]

    init(folder: String) { self.folder = folder }

    func write(
        _ number: Int, _ grammar: inout ExportGrammar, isCorrupted: Bool,
        _ random: inout SeededRandom
    ) -> ExportFile {
        let document = ExportDocument(grammar.document(&random), isCorrupted: isCorrupted, &random)
        let stem = "\(folder)/e\(number)"
        switch random.below(100) {
        case 0..<45:
            Folder.write(document.bytes, to: stem + ".xml")
            return ExportFile(path: stem + ".xml", known: document.known)
        case 45..<92:
            var zip = builder(document, grammar.routes, isCorrupted: isCorrupted, &random)
            if isCorrupted, random.percent(45) {
                zip.fault = random.pick(ZipBuilder.Fault.allCases, or: .checksum)
            }
            var bytes = zip.bytes(&random)
            if isCorrupted, random.percent(15), !bytes.isEmpty {
                bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            Folder.write(bytes, to: stem + ".zip")
            return ExportFile(path: stem + ".zip", known: document.known)
        default:
            let known = writeFolder(
                stem, document, grammar.routes, isCorrupted: isCorrupted, &random)
            return ExportFile(path: stem, known: known)
        }
    }

    private func builder(
        _ document: ExportDocument, _ routes: [String], isCorrupted: Bool,
        _ random: inout SeededRandom
    ) -> ZipBuilder {
        let top = random.pick(["apple_health_export/", "apple_health_export/", "", "a/b/c/"])
        func entry(_ name: String, _ content: [UInt8]) -> ZipBuilder.Entry {
            .init(name: Array(name.utf8), content: content)
        }
        var zip = ZipBuilder()
        zip.entries.append(entry(top + random.pick(ExportFiles.names), document.bytes))
        zip.entries[0].isDeflated = random.percent(80)
        for route in routes where random.percent(80) {
            zip.entries.append(
                entry(
                    top + String(route.dropFirst()),
                    Companion.route(isCorrupted: isCorrupted, &random)))
        }
        for (name, content) in Companion.others(isCorrupted: isCorrupted, &random) {
            zip.entries.append(entry(top + name, content))
        }
        if isCorrupted, random.percent(20) { zip.entries.append(strange(top, &random)) }
        if random.percent(20) { zip.entries.shuffle(using: &random) }
        return zip
    }

    /// Returns an entry that no phone writes.
    private func strange(_ top: String, _ random: inout SeededRandom) -> ZipBuilder.Entry {
        let names = [
            "../../evil.xml", "/etc/evil.xml", "a\\..\\b.xml", "", "export.xml/", "\u{0}", "CON",
            "__MACOSX/._export.xml", ".DS_Store", top + "workout-routes/../../x.gpx",
            String(repeating: "d/", count: 2000), String(repeating: "n", count: 60_000),
        ]
        var name = Array(random.pick(names).utf8)
        if random.percent(20) { name = random.bytes(1 + random.below(40)) }
        if random.percent(6) {
            let begin = Array("<?xml version=\"1.0\"?><!DOCTYPE HealthData []><HealthData>".utf8)
            return .init(name: Array("apple_health_export/bomb.xml".utf8), content: begin + bomb)
        }
        if random.percent(20) {
            let inner = ZipBuilder(entries: [.init(name: name, content: random.bytes(50))])
            return .init(name: Array("inner.zip".utf8), content: inner.bytes(&random))
        }
        return .init(name: name, content: random.bytes(random.below(300)))
    }

    private func writeFolder(
        _ stem: String, _ document: ExportDocument, _ routes: [String], isCorrupted: Bool,
        _ random: inout SeededRandom
    ) -> ExportDocument.Known? {
        let files = FileManager.default
        func place(_ name: String) -> String {
            let path = stem + "/" + name
            try? files.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            return path
        }
        Folder.write(document.bytes, to: place(random.pick(ExportFiles.names)))
        for route in routes {
            Folder.write(
                Companion.route(isCorrupted: isCorrupted, &random),
                to: place(String(route.dropFirst())))
        }
        for (name, content) in Companion.others(isCorrupted: isCorrupted, &random) {
            Folder.write(content, to: place(name))
        }
        guard isCorrupted else { return document.known }
        // An endless file, a dangling link, a cycle of links, or a read-only folder.
        switch random.below(6) {
        case 0: mkfifo(place("workout-routes/fifo.gpx"), 0o600)
        case 1: symlink("/dev/zero", place("electrocardiograms/ecg_2024-01-01.csv"))
        case 2: symlink(".", place("attachments"))
        case 3: symlink("/dev/zero", place("other.xml"))
        case 4: symlink("nowhere", place("clinical-records"))
        default: chmod(place(""), 0o500)
        }
        return nil
    }
}

/// The files that accompany an export's records.
enum Companion {
    static func route(isCorrupted: Bool, _ random: inout SeededRandom) -> [UInt8] {
        func number(_ usual: String) -> String {
            isCorrupted && random.percent(10) ? random.pick(Hostile.numbers) : usual
        }
        var text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" "
            + "creator=\"Apple Health Export\"><metadata><time>2024-04-01T08:00:00Z</time>"
            + "</metadata><trk><name>Route</name><trkseg>\n"
        for index in 0..<random.below(20) {
            let time = index < 10 ? "0\(index)" : String(index)
            let moment =
                isCorrupted && random.percent(10)
                ? random.pick(Hostile.dates) : "2024-03-10T10:\(time):00Z"
            text +=
                "<trkpt lon=\"\(number("13.4\(index)"))\" lat=\"\(number("52.5\(index)"))\">"
                + "<ele>\(number("34.5"))</ele><time>\(moment)</time><extensions>"
                + "<speed>\(number("1.5"))</speed><course>\(number("-1"))</course>"
                + "<hAcc>4</hAcc><vAcc>3</vAcc></extensions></trkpt>\n"
        }
        var bytes = Array((text + "</trkseg></trk></gpx>\n").utf8)
        if isCorrupted, random.percent(30) { bytes.removeLast(random.below(bytes.count)) }
        if isCorrupted, random.percent(10) { bytes = random.bytes(random.below(600)) }
        return bytes
    }

    static func others(isCorrupted: Bool, _ random: inout SeededRandom) -> [(String, [UInt8])] {
        var files: [(String, [UInt8])] = []
        if random.percent(25) {
            files.append(
                ("electrocardiograms/ecg_2024-03-10.csv", cardiogram(isCorrupted, &random)))
        }
        if random.percent(15) {
            let text =
                isCorrupted && random.percent(40)
                ? "{\"resourceType\":" : "{\"resourceType\":\"A\"}"
            files.append(("clinical-records/DiagnosticReport-1.json", Array(text.utf8)))
        }
        if random.percent(10) {
            files.append(("attachments/a.bin", random.bytes(random.below(900))))
        }
        if random.percent(15) {
            files.append(
                ("export_cda.xml", Array("<?xml version=\"1.0\"?><ClinicalDocument/>".utf8)))
        }
        return files
    }

    private static func cardiogram(_ isCorrupted: Bool, _ random: inout SeededRandom) -> [UInt8] {
        var lines = [
            "Name,", "Date of Birth,\"Jul 12, 1990\"", "Recorded Date,2024-03-10 10:00:00 +0100",
            "Classification,Sinus Rhythm", "Symptoms,", "Software Version,1.90",
            "Device,\"Watch6,1\"", "Sample Rate,512 hertz", "", "", "Lead,Lead I", "Unit,µV", "",
        ]
        lines += (0..<random.below(60)).map { "\($0 * 7 - 200).\(random.below(999))" }
        if isCorrupted {
            for _ in 0..<random.below(4) {
                let text = random.pick(Hostile.texts + Hostile.dates + Hostile.numbers)
                lines[random.below(lines.count)] = text
            }
        }
        var bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        if isCorrupted, random.percent(10) { bytes = random.bytes(random.below(2000)) }
        return bytes
    }
}
