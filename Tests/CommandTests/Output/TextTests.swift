import Foundation
import HealthDashboard
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import openhealth

/// The pure functions that outputs are composed of.
@Suite struct TextTests {
    @Test(
        "a number has the shortest digits that read back the same, without exponents where usual",
        arguments: [
            (8214.0, "8214"), (0.1, "0.1"), (88.06521739130426, "88.06521739130426"),
            (1e-5, "0.00001"), (1.25e-7, "0.000000125"), (1e16, "10000000000000000"),
            (-3.0, "-3"), (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"),
            (-2.5e-6, "-0.0000025"),
            (0, "0"), (123_456_789_012_345_683_968, "123456789012345680000"),
        ])
    func shortest(value: Double, text: String) {
        #expect(NumberText.shortest(value) == text)
        #expect(Double(NumberText.shortest(value)) == value)
    }

    @Test("any double survives formatting and parsing")
    func roundTrip() {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            let bits = UInt64.random(in: .min ... .max, using: &random)
            let value = Double(bitPattern: bits)
            guard value.isFinite else { continue }
            #expect(Double(NumberText.shortest(value))?.bitPattern == bits, "\(bits), seed \(seed)")
        }
    }

    @Test(
        "people read thousands in groups",
        arguments: [
            (0.0, 0, "0"), (999, 0, "999"), (1000, 0, "1,000"), (1_234_567.8, 0, "1,234,568"),
            (-1234.56, 1, "-1,234.6"), (0.05, 2, "0.05"), (5, 2, "5.00"), (-0.0, 0, "0"),
            (.leastNonzeroMagnitude, 2, "0.00"), (-0.4, 0, "0"),
            (999_999_999_999_999, 0, "999,999,999,999,999"),
            (9e14, 5, "900,000,000,000,000.0"), (1e15, 0, "1 × 10^15"), (1e19, 0, "1 × 10^19"),
            (-1.254e19, 2, "-1.25 × 10^19"), (9.999e21, 1, "1 × 10^22"),
            (1.2e300, 0, "1.2 × 10^300"), (.greatestFiniteMagnitude, 0, "1.8 × 10^308"),
            (.infinity, 0, "∞"),
            (-.infinity, 2, "-∞"), (.nan, 0, "–"),
        ])
    func grouped(value: Double, digits: Int, text: String) {
        #expect(NumberText.grouped(value, digits: digits) == text)
    }

    @Test(
        "hours have minutes unless they are very large",
        arguments: [
            (27_120.0, "7:32"), (0, "0:00"), (29, "0:00"), (-90, "-0:02"), (-27_120, "-7:32"),
            (3_600_000, "1,000:00"), (6e23, "1.67 × 10^20"), (.infinity, "∞"),
        ])
    func hours(seconds: Double, text: String) { #expect(NumberText.hours(seconds) == text) }

    @Test("large shares stay as they are")
    func largeShares() {
        #expect(NumberText.apportioned([1e19, 5e18], to: 1.5e19) == [1e19, 5e18])
        #expect(NumberText.apportioned([.infinity, 1], to: .infinity) == [.infinity, 1])
    }

    @Test("rounded parts add up to the rounded whole")
    func apportioned() {
        #expect(NumberText.apportioned([0.5, 0.5, 1], to: 2) == [1, 0, 1])
        #expect(NumberText.apportioned([1.9, 1.9], to: 4) == [2, 2])
        #expect(NumberText.apportioned([], to: 0) == [])
        #expect(NumberText.apportioned([1.4, 2.4], to: 4).reduce(0, +) == 4)
    }

    @Test("JSON keeps its keys' order, leaves out what is absent and escapes what it must")
    func json() {
        let json = JSONText.object([
            "b": .string("a/\"\\\n\u{1}é🙂"), "a": .number(2), "c": nil, "d": .null,
            "e": .array([.bool(true), .integer(-1), .number(.nan)]),
        ])
        #expect(
            json.text == #"{"b":"a/\"\\\n\u0001é🙂","a":2,"d":null,"e":[true,-1,null]}"#)
    }

    @Test("CSV quotes commas, quotes and line ends")
    func csv() {
        #expect(
            CSVText.row(["a", "b,c", "d\"e", "f\ng"]) == "a,\"b,c\",\"d\"\"e\",\"f\ng\"\n")
    }

    @Test(
        "a cell that a spreadsheet would run is text in CSV",
        arguments: [
            ("=1+1", "'=1+1"), ("+49 30 1234", "'+49 30 1234"), ("-cmd", "'-cmd"),
            ("@SUM(A1)", "'@SUM(A1)"), (" =1", "' =1"), ("\"=1\"", "\"'\"\"=1\"\"\""),
            ("'=1", "''=1"),
            ("\t=1", "'\t=1"), ("\tx", "'\tx"), ("\r=1", "\"'\r=1\""), ("\n=1", "\"'\n=1\""),
            ("\u{FF1D}1", "'\u{FF1D}1"), ("\u{200B}=1", "'\u{200B}=1"), ("\u{0}=1", "'\u{FFFD}=1"),
            ("\u{A0}@x", "'\u{A0}@x"), ("-1+1", "'-1+1"), ("--1", "'--1"), ("-", "'-"),
            ("-1e", "'-1e"), ("-1.5.2", "'-1.5.2"), ("-.5", "'-.5"), ("-inf", "'-inf"),
        ])
    func formulas(text: String, cell: String) {
        #expect(CSVText.row([text]) == cell + "\n")
    }

    @Test(
        "numbers and harmless text stay as they are in CSV",
        arguments: [
            "", "0", "-12", "-0.5", "12.25", "-1e-05", "1E+20", "a=b", "Sam's Watch", "3-4",
            "2024-03-10T08:30:00+01:00", "{key:=1}",
            "Übung", "手表", "👨‍👩‍👧", "नमस्ते", "a\tb",
        ])
    func harmless(text: String) {
        #expect(CSVText.row([text]) == text + "\n")
    }

    @Test("control and bidirectional characters are replaced in CSV only")
    func control() {
        let text = "a\u{1B}[31m\u{202E}b\u{2066}c\u{7F}\u{85}\u{2028}d\u{0}"
        #expect(
            CSVText.row([text])
                == "a\u{FFFD}[31m\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}\u{FFFD}d\u{FFFD}\n")
        #expect(JSONText.string("=a\u{202E}b").text == "\"=a\u{202E}b\"")
    }

    @Test("a table aligns wide characters and removes terminal controls from names")
    func table() {
        var table = Table([.text("name", maximumWidth: 8), .number("n")])
        table.rows = [["手表", "1"], ["\u{1B}[31mred", "22"], ["a\u{A0}b", "3"]]
        #expect(
            table.text == """
                name       n
                手表       1
                \u{FFFD}[31mred  22
                a b        3

                """)
    }

    @Test("a sentence breaks between words")
    func wrapped() {
        #expect("one two three".wrapped(to: 7) == "one two\nthree")
        #expect("unbreakable".wrapped(to: 3) == "unbreakable")
    }

    @Test(
        "global options move to the end, others stay",
        arguments: [
            (["--json", "types"], ["types", "--json"]),
            (
                ["sources", "--store", "a", "order", "t", "n"],
                ["sources", "order", "t", "n", "--store", "a"]
            ),
            (["--as=x", "stats", "t", "--by", "day"], ["stats", "t", "--by", "day", "--as=x"]),
            (["types", "--store"], ["types", "--store"]),
            (["import", "--json", "--", "--json"], ["import", "--json", "--", "--json"]),
        ])
    func globalArguments(given: [String], moved: [String]) {
        #expect(GlobalArguments.moved(given) == moved)
    }

    @Test("the store's path follows option, environment and the XDG folder, in that order")
    func storePath() throws {
        func path(_ store: String?, _ person: String?, _ environment: [String: String]) throws
            -> String
        {
            try StorePath.resolved(
                store: store, person: person, environment: environment, home: "/h")
        }
        let all = ["OPENHEALTH_STORE": "/e/e.sqlite", "XDG_DATA_HOME": "/x"]
        #expect(try path("s.sqlite", nil, all) == "s.sqlite")
        #expect(try path(nil, nil, all) == "/e/e.sqlite")
        #expect(try path(nil, nil, ["XDG_DATA_HOME": "/x"]) == "/x/openhealth/health.sqlite")
        #expect(
            try path(nil, nil, ["XDG_DATA_HOME": "x"]) == "/h/.local/share/openhealth/health.sqlite"
        )
        #expect(
            try path(nil, "Anna", [:]) == "/h/.local/share/openhealth/health-Anna.sqlite")
        #expect(try path("s", "Anna", [:]) == "s-Anna")
        #expect(throws: UsageError.self) { try path("n9/", nil, all) }
        #expect(try path("n", "Anna", [:]) == "n-Anna")
        #expect(StorePath.home(["HOME": "/somewhere"]) == "/somewhere")
        #expect(StorePath.home(["HOME": ""]) == StorePath.home([:]))
        for wrong in ["", ".", "..", "a/b", "a\\b", " ", "a\0"] {
            #expect(throws: UsageError.self) { try path(nil, wrong, [:]) }
        }
    }

    @Test(
        "a mistyped zone finds the one meant",
        arguments: [
            ("Berlin", "Europe/Berlin"), ("Europe/Berln", "Europe/Berlin"),
            ("new york", "America/New_York"),
        ])
    func nearName(typed: String, meant: String) {
        let zones = ["America/New_York", "Asia/Tokyo", "Europe/Berlin", "Europe/Paris"]
        #expect(SpellingSuggestion.best(for: typed, among: zones) == meant)
        #expect(SpellingSuggestion.best(for: "Middle-earth", among: zones) == nil)
    }

    @Test("colour is a source's, by rank, and only where it is wanted")
    func style() {
        #expect(TerminalStyle.plain.source("x", rank: 1) == "x")
        #expect(TerminalStyle.colored.source("x", rank: 1) == "\u{1B}[38;5;25mx\u{1B}[0m")
        #expect(TerminalStyle.standardOutput(["NO_COLOR": "1"]) == .plain)
        #expect(TerminalStyle.standardOutput(["TERM": "dumb"]) == .plain)
    }

    @Test(
        "a negative number belongs to the option before it",
        arguments: [
            (["samples", "x", "--limit", "-5"], ["samples", "x", "--limit=-5"]),
            (["--records", "-1.5", "--json"], ["--records=-1.5", "--json"]),
            (["--limit=3", "-5"], ["--limit=3", "-5"]), (["--out", "-x"], ["--out", "-x"]),
            (["x", "-5"], ["x", "-5"]), (["--", "--limit", "-5"], ["--", "--limit", "-5"]),
        ])
    func negativeNumbers(given: [String], joined: [String]) {
        #expect(NegativeNumbers.joined(given) == joined)
    }

    @Test("a sparkline has eight heights, a dot for a gap, and takes what is out of range")
    func sparkline() {
        #expect(Sparkline.text([0, 1, 2, 3, 4, 5, 6, 7, 8], from: 0, to: 8) == "▁▂▃▄▅▆▇██")
        #expect(Sparkline.text([nil, -1, 9, .nan], from: 0, to: 8) == "·▁█·")
        #expect(Sparkline.text([5, 5], from: 5, to: 5) == "▅▅")
    }

    @Test("columns of samples are as wide as their longest cell, a line at most 80")
    func sampleColumns() {
        let time = "2024-03-30 06:00"
        var columns = openhealth.SampleColumns()
        #expect(columns.row(time, time, "1", "", "手表") == "\(time)  \(time)      1  手表\n")
        let values = [
            ("coughingOrSneezing", ""), ("5.1", "mmol<180.1558800000541>/L"), ("1", "kg"),
        ]
        for (value, unit) in values { columns.fit(value: value, unit: unit) }
        let lines = values.map {
            columns.row(time, time, $0.0, $0.1, "A source with a name as long as a sentence")
        }
        let sources = lines.map { line in line.firstRange(of: "A source")?.lowerBound }
        #expect(Set(sources.map { $0?.utf16Offset(in: lines[0]) }).count == 1)
        let narrow = openhealth.SampleColumns()
        let line = narrow.row(time, time, "1", "", String(repeating: "x", count: 90))
        #expect(line.count == 81)
    }

    @Test("the first Ctrl-C requests a stop; the second one has the system's effect")
    func interruption() {
        let interruption = Interruption()
        #expect(!interruption.isRequested)
        // Sent to the process, since test threads block signals.
        kill(getpid(), SIGINT)
        for _ in 0..<1000 where !interruption.isRequested { usleep(10_000) }
        #expect(interruption.isRequested)
        let previous = signal(SIGINT, SIG_DFL)
        #expect(previous == nil)
        interruption.end()
    }

    @Test("a progress bar is as wide when full as when empty")
    func progressBar() {
        #expect(ProgressBar.text(percent: 0).filter { $0 == "░" }.count == 40)
        #expect(ProgressBar.text(percent: 100).filter { $0 == "█" }.count == 40)
    }
}
