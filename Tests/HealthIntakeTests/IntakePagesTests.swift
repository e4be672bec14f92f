import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct IntakePagesTests {
    @Test("a source has the first name that is not empty")
    func names() throws {
        var read: [IntakeBatch] = []
        var pages = IntakePages(after: 0) { read.append($0) }
        for (name, bundle) in [
            ("", "com.example.a"), ("Watch", "com.example.a"), ("Other", "com.example.a"),
            ("", "com.example.a"), ("Watch", ""),
        ] {
            _ = try pages.beginRecord()
            pages.add(
                ReceivedSample(
                    type: 0, identity: .point,
                    source: Source(name: name, bundleIdentifier: bundle),
                    origin: Origin(source: 0), start: 0, end: 0))
        }
        try pages.finish()
        let samples = try #require(read.first?.samples)
        #expect(read.count == 1)
        #expect(
            samples.sources == [
                Source(name: "Watch", bundleIdentifier: "com.example.a"),
                Source(name: "Watch", bundleIdentifier: ""),
            ])
        #expect(samples.samples.map(\.origin) == [0, 0, 0, 0, 1])
    }

    @Test("names of sources and devices end after 1,000 bytes, and have no NUL")
    func boundedNames() throws {
        var read: [IntakeBatch] = []
        var pages = IntakePages(after: 0) { read.append($0) }
        let long = String(repeating: "é", count: 100_000)
        _ = try pages.beginRecord()
        pages.add(
            ReceivedSample(
                type: 0, identity: .point, source: Source(name: long, bundleIdentifier: "a\0b"),
                origin: Origin(source: 0, device: Device(name: "x\0" + long)), start: 0, end: 0))
        try pages.finish()
        let samples = try #require(read.first?.samples)
        let name = String(repeating: "é", count: 500)
        #expect(samples.sources == [Source(name: name, bundleIdentifier: "ab")])
        #expect(samples.sources.first?.name == name)
        #expect(samples.origins.first?.device?.name == "x" + name.dropLast())
    }

    @Test("two sources without bundle identifiers stay two if their samples alternate")
    func namedSources() throws {
        var read: [IntakeBatch] = []
        var pages = IntakePages(after: 0) { read.append($0) }
        for name in ["Watch", "Phone", "Phone", "Watch"] {
            _ = try pages.beginRecord()
            pages.add(
                ReceivedSample(
                    type: 0, identity: .content, source: Source(name: name, bundleIdentifier: ""),
                    origin: Origin(source: 0), start: 0, end: 60))
        }
        try pages.finish()
        let samples = try #require(read.first?.samples)
        #expect(samples.sources.map(\.name) == ["Watch", "Phone"])
        #expect(samples.samples.map { samples.origins[Int($0.origin)].source } == [0, 1, 1, 0])
    }

    @Test("header fields have no surrounding spaces, and their names have no case")
    func headers() {
        let headers = IntakeHeaders([
            ("Automation-ID", " \ta b\t "), ("automation-id", "second"), ("session-id", " \t "),
        ])
        #expect(headers["AUTOMATION-id"] == "a b")
        #expect(headers["session-id"] == nil)
        #expect(headers["missing"] == nil)
    }
}
