import Foundation
import HealthTesting
import Testing

@Suite("the manual page has every command", .inTestAll)
struct ManualTests {
    @Test("each subcommand and option of the help is in the manual")
    func complete() throws {
        let manual = try CommandRun(["manual"])
        #expect(manual.status == 0)
        #expect(manual.output.hasPrefix(".TH OPENHEALTH 1"))
        let help = try CommandRun(["--help"]).output
        let list = try #require(help.split(separator: "SUBCOMMANDS:").last)
        let names = list.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("  "), !line.hasPrefix("   "), !line.contains("See ") else {
                return nil
            }
            return line.split(separator: " ").first.map(String.init)
        }
        #expect(names.count > 25)
        for name in names where name != "help" {
            #expect(manual.output.contains(".SS openhealth \(name.replacing("-", with: "\\-"))\n"))
        }
        #expect(manual.output.contains("\\-\\-passphrase\\-file"))
    }

    @Test("man formats it without a warning")
    func formatted() throws {
        let folder = try TemporaryFolder()
        let page = folder.path + "/openhealth.1"
        try Data(try CommandRun(["manual"]).output.utf8).write(to: URL(fileURLWithPath: page))
        let run = try ProgramRun(
            "/usr/bin/env",
            [
                "sh", "-c",
                "command -v groff >/dev/null || { echo none; exit; }; "
                    + "groff -K utf8 -man -Tutf8 -ww \"$1\" 2>&1 >/dev/null", "sh", page,
            ])
        #expect(run.output.isEmpty || run.output == "none\n", "\(run.output)")
    }
}
