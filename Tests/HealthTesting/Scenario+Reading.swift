public import Foundation
import HealthEngine

/// The error for a scenario file that can't be read, with its location and the expected text.
public struct ScenarioError: Error, CustomStringConvertible {
    /// The path of the file.
    public let path: String
    /// The line, counted from 1.
    public let line: Int
    /// What was expected.
    public let message: String
    public var description: String { "\(path):\(line): \(message)" }
}

extension Scenario {
    /// Reads every `.txt` file of a folder, sorted by name.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The scenarios.
    /// - Throws: ``ScenarioError`` with file and line, or an error of the file system.
    public static func all(in folder: URL) throws -> [Scenario] {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "txt" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { try Scenario(file: $0) }
    }

    /// Reads a scenario file.
    ///
    /// - Parameter file: The file.
    /// - Throws: ``ScenarioError`` with file and line, or an error of the file system.
    public init(file: URL) throws {
        try self.init(
            text: String(contentsOf: file, encoding: .utf8), path: file.path,
            name: file.deletingPathExtension().lastPathComponent)
    }

    /// Parses one scenario.
    ///
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - path: The path for error messages.
    ///   - name: The name for test reports.
    /// - Throws: ``ScenarioError`` with file and line.
    public init(text: String, path: String, name: String) throws {
        self.path = path
        self.name = name
        var isBelow = false
        var last = 0
        for (offset, raw) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let line = ScenarioLine(path: path, number: offset + 1, text: raw)
            last = offset + 1
            if line.words.isEmpty { continue }
            if line.words[0].allSatisfy({ $0 == "-" }) {
                if isBelow { throw line.error("a second line of dashes") }
                isBelow = true
            } else if isBelow {
                try readExpectation(line)
            } else {
                try readSetting(line)
            }
        }
        let end = ScenarioLine(path: path, number: last, text: "")
        if !isBelow { throw end.error("no line of dashes between samples and expected buckets") }
        if buckets.isEmpty { throw end.error("no expected bucket") }
        if edges.isEmpty { edges = expectedBoundaries }
        batch.sort()
        conversions += Array(
            repeating: .identity, count: max(0, batch.origins.count - conversions.count))
    }

    private func source(_ name: Substring, _ line: ScenarioLine) throws -> Int32 {
        guard let index = batch.sources.firstIndex(where: { $0.name == name }) else {
            throw line.error("no source is called “\(name)”; “sources” names them in order of rank")
        }
        return Int32(index)
    }

    private mutating func readSetting(_ line: ScenarioLine) throws {
        switch line.words[0] {
        case "kind": kind = try Self.kind(line)
        case "sources":
            batch.sources = line.words.dropFirst().map {
                Source(name: String($0), bundleIdentifier: "test.\($0)")
            }
            batch.origins = batch.sources.indices.map { Origin(source: Int32($0)) }
            conversions = batch.sources.map { _ in .identity }
            order.ranking = batch.sources.indices.map { Int32($0) }
        case "exclude":
            order.excluded = Set(try line.words.dropFirst().map { try source($0, line) })
        case "convert": try readConversion(line)
        case "gap-tolerance": rules.gapTolerance = try line.number(1)
        case "maximum-gap": rules.maximumGap = try line.number(1)
        case "horizon": rules.horizon = try line.time(1)
        case "discrete-merge":
            guard try line.word(1) == "by-source-order" else {
                throw line.error("“discrete-merge” knows only “by-source-order”")
            }
            rules.discreteMerge = .bySourceOrder
        case "edges": edges = try line.words.indices.dropFirst().map { try line.time($0) }
        case "buckets": calendar = try Self.calendar(line)
        default: try readSample(line)
        }
    }

    private static func kind(_ line: ScenarioLine) throws -> Kind {
        switch try line.word(1) {
        case "cumulative": .quantity(.cumulative)
        case "arithmetic": .quantity(.discreteArithmetic)
        case "time-weighted": .quantity(.discreteTemporallyWeighted)
        case "level": .quantity(.discreteEquivalentContinuousLevel)
        case "category": .category
        case let other:
            throw line.error(
                "no kind “\(other)”: cumulative, arithmetic, time-weighted, level or category")
        }
    }

    /// Parses `buckets day 2024-03-30 2024-04-02 in Europe/Berlin`.
    private static func calendar(_ line: ScenarioLine) throws -> CalendarRequest {
        guard try line.word(4) == "in" else {
            throw line.error("expected “buckets UNIT FROM TO in ZONE”")
        }
        return CalendarRequest(
            zone: String(try line.word(5)), unit: String(line.words[1]),
            from: String(line.words[2]), to: String(line.words[3]))
    }

    /// Parses `convert Phone 1000/1`, a factor, or `convert Phone none`, an unknown unit.
    private mutating func readConversion(_ line: ScenarioLine) throws {
        let source = Int(try source(try line.word(1), line))
        if try line.word(2) == "none" {
            conversions[source] = nil as UnitConversion?
            return
        }
        let parts = line.words[2].split(separator: "/").map { Double($0) }
        guard parts.count == 2, let multiplier = parts[0], let divisor = parts[1] else {
            throw line.error("“\(line.words[2])” is no conversion: 1000/1, or none")
        }
        conversions[source] = UnitConversion(multiplier: multiplier, divisor: divisor)
    }

    /// Parses `Watch START END VALUE [created=T]`.
    private mutating func readSample(_ line: ScenarioLine) throws {
        var sample = Sample(
            type: 1, origin: try source(line.words[0], line), start: try line.time(1),
            end: try line.time(2), value: try line.number(3), key: Int64(line.number))
        for word in line.words.dropFirst(4) {
            guard word.hasPrefix("created=") else { throw line.error("unknown “\(word)”") }
            sample.created = try line.time(word.dropFirst(8))
        }
        batch.samples.append(sample)
    }

    private mutating func readExpectation(_ line: ScenarioLine) throws {
        if line.words[0] == "won" {
            let mergedInterval = MergedInterval(
                source: try source(try line.word(1), line), start: try line.time(2),
                end: try line.time(3), value: try line.number(4), line: line.number)
            mergedIntervals = (mergedIntervals ?? []) + [mergedInterval]
            return
        }
        var bucket = Bucket(
            start: try line.time(0), end: try line.time(1), expectations: [], line: line.number)
        if try line.word(2) == "empty" {
            bucket.expectations = nil
        } else {
            bucket.expectations = try line.words.dropFirst(2).map { try expectation($0, line) }
        }
        buckets.append(bucket)
    }

    /// Parses `sum=60`, `Phone.sum=4051/46` or `average=none`.
    private func expectation(_ word: Substring, _ line: ScenarioLine) throws -> Expectation {
        let sides = word.split(separator: "=", maxSplits: 1)
        guard sides.count == 2 else { throw line.error("expected NAME=NUMBER, met “\(word)”") }
        var quantity = sides[0]
        var owner: Int32?
        if let dot = quantity.firstIndex(of: ".") {
            owner = try source(quantity[..<dot], line)
            quantity = quantity[quantity.index(after: dot)...]
        }
        let isTime = quantity == "mostRecentStart" || quantity == "mostRecentEnd"
        let value: Double? =
            if sides[1] == "none" { nil } else if isTime { try line.time(sides[1]) } else {
                try line.number(sides[1])
            }
        return Expectation(
            quantity: String(quantity), source: owner, value: value, line: line.number)
    }
}

/// One line of a scenario file as words, without its comment.
struct ScenarioLine {
    let path: String
    let number: Int
    let words: [Substring]

    init(path: String, number: Int, text: Substring) {
        self.path = path
        self.number = number
        let code = text.prefix { $0 != "#" }
        words = code.split { $0 == " " || $0 == "\t" || $0 == "\r" }
    }

    func error(_ message: String) -> ScenarioError {
        ScenarioError(path: path, line: number, message: message)
    }

    func word(_ index: Int) throws -> Substring {
        guard index < words.count else { throw error("the line ends too early") }
        return words[index]
    }

    func number(_ index: Int) throws -> Double { try number(try word(index)) }

    /// Parses `60`, `-2.5` or the fraction `4051/46`.
    func number(_ word: Substring) throws -> Double {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
        if parts.count == 1, let value = parts[0] { return value }
        if parts.count == 2, let top = parts[0], let bottom = parts[1], bottom != 0 {
            return top / bottom
        }
        throw error("“\(word)” is no number")
    }

    func time(_ index: Int) throws -> Double { try time(try word(index)) }

    /// Parses a number of seconds, `undetermined`, or `2024-03-31T01:00[:30[.5]]+01:00`.
    func time(_ word: Substring) throws -> Double {
        if word == "undetermined" { return Sample.undeterminedEnd }
        guard word.contains("T") else { return try number(word) }
        let sides = word.split(separator: "T", omittingEmptySubsequences: false)
        let date = sides[0].split(separator: "-").compactMap { Int($0) }
        guard sides.count == 2, date.count == 3, (1...12).contains(date[1]),
            let sign = sides[1].lastIndex(where: { $0 == "+" || $0 == "-" || $0 == "Z" })
        else { throw error("“\(word)” is no time: 10, or 2024-03-31T01:00+01:00") }
        let clock = sides[1][..<sign].split(separator: ":").compactMap { Double($0) }
        let offset = sides[1][sides[1].index(after: sign)...].split(separator: ":")
            .compactMap { Double($0) }
        let isZulu = sides[1][sign] == "Z"
        guard clock.count == 2 || clock.count == 3, offset.count == (isZulu ? 0 : 2) else {
            throw error("“\(word)” wants hours and minutes, and an offset such as +01:00")
        }
        let seconds = clock[0] * 3600 + clock[1] * 60 + (clock.count == 3 ? clock[2] : 0)
        let east = isZulu ? 0 : offset[0] * 3600 + offset[1] * 60
        let day = Double(Self.days(year: date[0], month: date[1], day: date[2]))
        return day * 86400 + seconds - (sides[1][sign] == "-" ? -east : east)
    }

    /// Returns the days since 2001-01-01 in the Gregorian calendar.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var total = lengths[..<(month - 1)].reduce(day - 1, +)
        for past in min(year, 2001)..<max(year, 2001) {
            total += (isLeap(past) ? 366 : 365) * (year < 2001 ? -1 : 1)
        }
        return total
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}
