public import Foundation
import HealthEngine

/// Why a scenario file can't be read: the place, and what was expected there.
public struct ScenarioError: Error, CustomStringConvertible {
    public let path: String
    public let line: Int
    public let message: String
    public var description: String { "\(path):\(line): \(message)" }
}

extension Scenario {
    /// Every `.txt` file of a folder, by name.
    public static func all(in folder: URL) throws -> [Scenario] {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "txt" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { try Scenario(file: $0) }
    }

    public init(file: URL) throws {
        try self.init(
            text: String(contentsOf: file, encoding: .utf8), path: file.path,
            name: file.deletingPathExtension().lastPathComponent)
    }

    /// Reads one scenario.
    ///
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
        if edges.isEmpty { edges = expectedBorders }
        batch.order()
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

    /// `buckets day 2024-03-30 2024-04-02 in Europe/Berlin`
    private static func calendar(_ line: ScenarioLine) throws -> CalendarRequest {
        guard try line.word(4) == "in" else {
            throw line.error("expected “buckets UNIT FROM TO in ZONE”")
        }
        return CalendarRequest(
            zone: String(try line.word(5)), unit: String(line.words[1]),
            from: String(line.words[2]), to: String(line.words[3]))
    }

    /// `convert Phone 1000/1` multiplies, `convert Phone none` is a unit nobody knows.
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

    /// `Watch START END VALUE [created=T]`
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
            let stretch = Stretch(
                source: try source(try line.word(1), line), start: try line.time(2),
                end: try line.time(3), value: try line.number(4), line: line.number)
            stretches = (stretches ?? []) + [stretch]
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

    /// `sum=60`, `Phone.sum=4051/46`, `average=none`
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
