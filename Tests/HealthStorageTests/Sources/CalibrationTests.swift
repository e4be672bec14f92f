import Foundation
import HealthCalendar
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("calibration finds the settings that reproduce the totals of a Health app")
struct CalibrationTests {
    private static let now = 1e9
    private let utc = CalendarBuckets(timeZone: .gmt)

    /// Returns days from 2001-01-02 on, with random samples of every source that often overlap.
    private static func recording(
        sources: [String], days: Int, _ random: inout SeededRandom
    ) -> Recording {
        var recording = Recording()
        for day in 1...days {
            for (place, source) in sources.enumerated() {
                for _ in 0..<6 {
                    let start = Double(day) * 86_400 + Double.random(in: 0..<40_000, using: &random)
                    let end = start + Double.random(in: 60..<9000, using: &random)
                    recording.add(
                        .steps, source, start, end,
                        Double(Int.random(in: 10...900, using: &random)), created: Double(place))
                }
            }
        }
        return recording
    }

    private static func day(_ number: Int) -> CivilDate { CivilDate(dayNumber: number) }

    /// Returns a store's totals on the days as the Health app shows them: rounded down.
    private func shown(_ store: SampleStore, days: Int) throws -> [Calibration.DisplayedTotal] {
        try (1...days).map { day in
            let start = Double(day) * 86_400
            let explanation = try store.explanation(
                of: SampleQuery(.steps, from: start, to: start + 86_400))
            return .init(CalibrationTests.day(day), explanation.merged.rounded(.down))
        }
    }

    @Test(
        "a random order with a random source excluded is found",
        arguments: TestTier.seeds(4, from: 1))
    func foundAgain(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let file = try TemporaryStore()
        let names = ["A", "B", "C", "D"]
        try file.add(CalibrationTests.recording(sources: names, days: 5, &random))
        let store = try file.open()
        let truth = SourceOrderProposal(
            order: names.shuffled(using: &random),
            participation: [names[Int.random(in: 0..<4, using: &random)]: .excluded])
        try store.apply(truth, to: .steps)
        let shown = try shown(store, days: 5)
        try store.resetSources(of: .steps)
        let found = try store.calibration(
            of: .steps, displayedTotals: shown, in: utc, now: CalibrationTests.now)
        #expect(found.best.fitsEveryDay && found.best.distance == 0)
        #expect(found.best.residuals.allSatisfy { (-0.5..<1).contains($0) })
        #expect(found.coverage == .complete && found.settingsTried == 65)
        #expect(found.withTolerance == nil)
        // With five days of random overlaps, only the true source order fits.
        if let proposal = found.proposal { try store.apply(proposal, to: .steps) }
        #expect(try self.shown(store, days: 5) == shown, "seed \(seed)")
        let second = try store.calibration(
            of: .steps, displayedTotals: shown, in: utc, now: CalibrationTests.now)
        #expect(second.keepsCurrent && second.proposal == nil && second.current.fitsEveryDay)
        #expect(second.current.totals == found.best.totals)
    }

    @Test(
        "the best of all settings is the best that trying each through the store finds",
        arguments: TestTier.seeds(3, from: 1))
    func bruteForce(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let file = try TemporaryStore()
        let names = ["A", "B", "C"]
        try file.add(CalibrationTests.recording(sources: names, days: 3, &random))
        let store = try file.open()
        // No source order yields these totals, so the nearest one is requested.
        let shown = (1...3).map {
            Calibration.DisplayedTotal(
                Self.day($0), Double(Int.random(in: 0...9000, using: &random)))
        }
        let found = try store.calibration(
            of: .steps, displayedTotals: shown, in: utc, now: Self.now)
        var distances: [Double] = []
        for order in [
            "ABC", "ACB", "BAC", "BCA", "CAB", "CBA", "AB", "BA", "AC", "CA", "BC", "CB", "A", "B",
            "C", "",
        ] {
            let chosen = order.map(String.init)
            let others = names.filter { !chosen.contains($0) }
            let proposal = SourceOrderProposal(
                order: chosen,
                participation: Dictionary(uniqueKeysWithValues: others.map { ($0, .excluded) }))
            distances.append(
                try shown.reduce(0) { sum, shown in
                    let start = Double(shown.day.dayNumber) * 86_400
                    let explanation = try store.explanation(
                        of: SampleQuery(.steps, from: start, to: start + 86_400),
                        applying: proposal)
                    let (low, high) = (shown.value - 0.5, shown.value + 1)
                    return sum + max(0, low - explanation.merged, explanation.merged - high)
                })
        }
        let minimum = try #require(distances.min())
        #expect(abs(found.best.distance - minimum) < 1e-6, "seed \(seed)")
        #expect(found.ties == distances.filter { abs($0 - minimum) < 1e-6 }.count - 1)
        if let tolerant = found.withTolerance { #expect(tolerant.distance < found.best.distance) }
        #expect(try store.exclusions().isEmpty)
    }

    @Test("differences between equally good settings are reported")
    func ties() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Watch", 86_400, 90_000, 600, device: .watch)
        recording.add(.steps, "Phone", 88_200, 91_800, 1000, device: .phone)
        recording.add(.steps, "App", 100_000, 101_000, 50)
        try file.add(recording)
        let store = try file.open()
        // Watch first: 600 + 500. Phone first: 1000 + 300. The app overlaps neither.
        let found = try store.calibration(
            of: .steps, displayedTotals: [.init(Self.day(1), 1350)], in: utc, now: Self.now)
        #expect(found.current.totals == [1150] && found.current.residuals == [-200])
        #expect(found.current.fits == [false])
        #expect(found.best.setting.order.map(\.name) == ["Phone", "Watch", "App"])
        #expect(found.best.totals == [1350] && found.best.fitsEveryDay)
        #expect(found.ties == 2)
        let open = found.ambiguities.map { open in
            switch open {
            case .participation(let source): source.name
            case .order(let a, let b): a.name + " or " + b.name
            }
        }
        #expect(open == ["Watch or App", "Phone or App"])
        let names = found.best.setting.order.map(\.bundleIdentifier)
        #expect(found.proposal == SourceOrderProposal(order: names))
    }

    @Test("a source of day totals is included again where the app shows its totals")
    func dayTotals() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Totals", 86_400, 172_799, 9000)
        recording.add(.steps, "Phone", 90_000, 93_600, 100, device: .phone)
        try file.add(recording)
        let store = try file.open()
        let found = try store.calibration(
            of: .steps, displayedTotals: [.init(Self.day(1), 9000)], in: utc, now: Self.now)
        #expect(found.dayTotals.map(\.name) == ["Totals"])
        #expect(found.current.totals == [100] && !found.keepsCurrent)
        #expect(found.best.totals == [9000])
        let proposal = try #require(found.proposal)
        #expect(proposal.participation.values.contains(.included))
        try store.apply(proposal, to: .steps)
        let explanation = try store.explanation(of: SampleQuery(.steps, from: 86_400, to: 172_800))
        #expect(explanation.merged == found.best.totals[0])
    }

    @Test("a gap tolerance is reported where no setting without one fits as well")
    func tolerance() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Watch", 86_400, 87_000, 600, device: .watch)
        recording.add(.steps, "Watch", 87_200, 87_800, 600, device: .watch)
        recording.add(.steps, "Phone", 87_000, 87_200, 77, device: .phone)
        recording.add(.steps, "Phone", 90_000, 90_600, 40, device: .phone)
        try file.add(recording)
        let store = try file.open(.reading)
        let found = try store.calibration(
            of: .steps, displayedTotals: [.init(Self.day(1), 1240)], in: utc, now: Self.now)
        #expect(found.best.totals == [1200])
        let tolerant = try #require(found.withTolerance)
        #expect(tolerant.totals == [1240] && tolerant.setting.gapTolerance == 300)
        #expect(tolerant.setting.order.map(\.name) == ["Watch", "Phone"])
    }

    @Test("more than six sources use a local search, and that is reported", .inTestAll)
    func manySources() throws {
        var random = SeededRandom(seed: 7)
        let file = try TemporaryStore()
        let names = (0..<8).map { "Source \($0)" }
        try file.add(CalibrationTests.recording(sources: names, days: 3, &random))
        let store = try file.open()
        let truth = ["Source 2", "Source 7", "Source 5", "Source 0"]
        try store.apply(SourceOrderProposal(order: truth), to: .steps)
        let shown = try shown(store, days: 3)
        try store.resetSources(of: .steps)
        let found = try store.calibration(
            of: .steps, displayedTotals: shown, in: utc, now: Self.now)
        #expect(found.coverage == .local)
        #expect(found.best.distance <= found.current.distance)
        #expect(found.settingsTried >= 1000)
    }

    @Test("invalid days and values are refused with a reason")
    func refusals() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Phone", 86_400, 90_000, 100, device: .phone)
        recording.add(.heartRate, "Phone", 86_400, 86_400, 60, device: .phone)
        try file.add(recording)
        let store = try file.open(.reading)
        let (first, second) = (Self.day(1), Self.day(2))
        func refusal(
            _ shown: [Calibration.DisplayedTotal], of type: SampleType = .steps,
            in calendar: CalendarBuckets? = nil, now: Double = Self.now
        ) throws -> CalibrationError? {
            #expect(throws: CalibrationError.self) {
                try store.calibration(
                    of: type, displayedTotals: shown, in: calendar ?? utc, now: now)
            }
        }
        #expect(try refusal([]) == .noDays)
        #expect(try refusal([.init(first, 1), .init(first, 2)]) == .duplicateDay(first))
        #expect(try refusal([.init(second, 1)]) == .noData(second, type: "stepCount"))
        #expect(try refusal([.init(first, 1)], now: 86_399) == .future(first))
        #expect(try refusal([.init(first, -1)]) == .invalidAmount(first))
        #expect(try refusal([.init(first, .nan)]) == .invalidAmount(first))
        #expect(try refusal([.init(first, 1)], of: .heartRate) == .notSummed("heartRate"))
        // Apia skipped 30 December 2011.
        let apia = CalendarBuckets(timeZone: try #require(TimeZone(identifier: "Pacific/Apia")))
        let skipped = CivilDate(2011, 12, 30)
        #expect(
            try refusal([.init(skipped, 1)], in: apia)
                == .noSuchDay(skipped, zone: "Pacific/Apia"))
        let error = #expect(throws: StoreError.self) {
            try store.calibration(
                of: .steps, displayedTotals: [.init(first, 1)], in: utc, now: Self.now, unit: "km")
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test("a total fits where the app could show it so, rounded down or to the nearest")
    func rounding() {
        let whole = Calibration.DisplayedTotal(CivilDate(2024, 3, 10), 8432)
        #expect(
            whole.distance(to: 8432) == 0 && whole.distance(to: 8432.999) == 0
                && whole.distance(to: 8431.5) == 0)
        #expect(whole.distance(to: 8434) == 1 && whole.distance(to: 8431) == 0.5)
        let kilometres = Calibration.DisplayedTotal(CivilDate(2024, 3, 10), 5.21, digits: 2)
        #expect(kilometres.distance(to: 5.2199) == 0 && kilometres.distance(to: 5.2051) == 0)
        #expect(kilometres.distance(to: 5.23) > 0.009 && kilometres.distance(to: 5.2) > 0.004)
    }
}
