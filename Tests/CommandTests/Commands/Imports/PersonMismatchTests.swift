import Foundation
import HealthTesting
import Testing

/// Whether an export belongs to the same person, without a date of birth.
@Suite(.inTestAll) struct PersonMismatchTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    /// A person's steps on some days, one record per hour.
    private struct Steps {
        var source = "iPhone"
        var hardware = "iPhone14,5"
        var days: ClosedRange<Int>
        var minute: Int

        var xml: String {
            days.flatMap { day in (8...12).map { (day, $0) } }.map { day, hour in
                let day = day < 10 ? "0\(day)" : "\(day)"
                let hour = hour < 10 ? "0\(hour)" : "\(hour)"
                let start = "2024-03-\(day) \(hour):\(minute + 10)"
                return
                    "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"\(source)\" "
                    + "sourceVersion=\"17.4\" device=\"&lt;&lt;HKDevice: 0x1&gt;, name:iPhone, "
                    + "hardware:\(hardware), software:17.4&gt;\" unit=\"count\" "
                    + "creationDate=\"\(start):30 +0100\" startDate=\"\(start):00 +0100\" "
                    + "endDate=\"\(start):20 +0100\" value=\"\(day)\"/>\n"
            }.joined()
        }
    }

    private func run(
        _ steps: [Steps], day: Int, me: [String] = [""], _ options: String...
    ) throws -> CommandRun {
        let path = folder.path + "/export-\(day).xml"
        let rings =
            "<ActivitySummary dateComponents=\"2024-03-01\" activeEnergyBurned=\"\(day)\"/>\n"
        let text =
            "<HealthData locale=\"de_DE\"><ExportDate value=\"2024-04-\(day) 10:00:00 +0100\"/>\n"
            + me.map { "<Me \($0)/>\n" }.joined() + steps.map(\.xml).joined() + rings
            + "</HealthData>\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return try CommandRun(["import", path] + options, store: store)
    }

    private static func born(_ date: String) -> String {
        "HKCharacteristicTypeIdentifierDateOfBirth=\"\(date)\""
    }

    @Test("another person's export of the same days is asked about, though all names are equal")
    func overlap() throws {
        let anna = Steps(days: 1...9, minute: 1)
        #expect(try run([anna], day: 10).status == 0)
        let refused = try run([Steps(days: 5...12, minute: 7)], day: 11)
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains("it covers the same days as the store"), "\(refused.errors)")
        #expect(refused.errors.contains("--same-person") && refused.errors.contains("--as NAME"))
        let confirmed = try run([Steps(days: 5...12, minute: 7)], day: 11, "--same-person")
        #expect(confirmed.status == 0)
    }

    @Test("an export of later days is asked about where none of its devices was ever in the store")
    func devices() throws {
        #expect(try run([Steps(days: 1...9, minute: 1)], day: 10).status == 0)
        let stranger = Steps(hardware: "iPhone16,2", days: 20...25, minute: 1)
        let refused = try run([stranger], day: 11)
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains("none of its devices occurs in the store"), "\(refused.errors)")
        #expect(!refused.errors.contains("same days"))
        // The same iPhone, only on later days.
        #expect(try run([Steps(days: 20...25, minute: 1)], day: 12).status == 0)
    }

    @Test("a new phone is no other person as long as an earlier record comes along")
    func newPhone() throws {
        let old = Steps(days: 1...9, minute: 1)
        let new = Steps(source: "New", hardware: "iPhone16,2", days: 8...20, minute: 3)
        #expect(try run([old], day: 10).status == 0)
        var rest = old
        rest.days = 9...9
        #expect(try run([rest, new], day: 11).status == 0)
    }

    @Test("the same date of birth is enough, another one is asked about wherever it stands")
    func birth() throws {
        let me = Self.born("1990-02-03")
        #expect(try run([Steps(days: 1...9, minute: 1)], day: 10, me: [me]).status == 0)
        let later = Steps(hardware: "iPhone16,2", days: 5...12, minute: 7)
        #expect(try run([later], day: 11, me: [me]).status == 0)
        let refused = try run([later], day: 12, me: [Self.born("1991-02-03")])
        #expect(refused.status == 1 && refused.errors.contains("date of birth differs"))
    }

    @Test("of two contradicting descriptions the first one counts, at each import")
    func contradiction() throws {
        let steps = Steps(days: 1...9, minute: 1)
        let me = [Self.born("1990-02-03"), Self.born("1962-07-08")]
        for day in 10...12 {
            let done = try run([steps], day: day, me: me)
            #expect(done.status == 0, "\(done.errors)")
            #expect(done.output.contains("contradictingMe 1"), "\(done.output)")
        }
        let other = try run([steps], day: 13, me: [Self.born("1962-07-08")])
        #expect(other.status == 1 && other.errors.contains("date of birth differs"))
        #expect(try run([steps], day: 14, me: [me[0]]).status == 0)
    }

    @Test("what a program has saved says nothing of whose export it is")
    func savedSamples() throws {
        let logged = try CommandRun(["weight", "log", "80kg", "--at", "2024-03-05"], store: store)
        #expect(logged.status == 0, "\(logged.errors)")
        #expect(try run([Steps(days: 1...9, minute: 1)], day: 10).status == 0)
    }

    @Test("two simulated persons are two persons, and a later export of one is the same person's")
    func simulated() throws {
        func export(_ seed: Int) throws -> String {
            let path = folder.path + "/\(seed).zip"
            let run = try CommandRun(
                ["simulate", "--seed", "\(seed)", "--records", "2000", "--out", path])
            try #require(run.status == 0)
            return path
        }
        let (one, two) = (try export(1), try export(2))
        #expect(try CommandRun(["import", one], store: store).status == 0)
        let refused = try CommandRun(["import", two], store: store)
        #expect(refused.status == 1 && refused.errors.contains("date of birth differs"))
        #expect(try CommandRun(["import", one], store: store).status == 0)
    }
}
