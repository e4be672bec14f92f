import HealthTesting
import Testing

@testable import HealthAssistant

/// Splitting received bytes into lines.
struct LineSplitterTests {
    private func events(_ pieces: [String], maximumLength: Int = 100) -> [LineSplitter.Event] {
        var splitter = LineSplitter(maximumLength: maximumLength)
        var events = pieces.flatMap { splitter.receive(Array($0.utf8)) }
        if let last = splitter.finish() { events.append(last) }
        return events
    }

    private func line(_ text: String) -> LineSplitter.Event { .line(Array(text.utf8)) }

    @Test("Lines end with a line feed, also after a carriage return; empty ones are left out")
    func ends() {
        #expect(events(["a\nb\r\n\n \t\n\r\nc"]) == [line("a"), line("b"), line("c")])
        #expect(events([]).isEmpty)
        #expect(events(["\n\n"]).isEmpty)
    }

    @Test("A line over the limit is dropped, and the next one is read")
    func limit() {
        #expect(
            events(["12345\n123456\n1\n"], maximumLength: 5) == [
                line("12345"), .tooLong, line("1"),
            ])
        #expect(events(["123", "456", "7\n1\n"], maximumLength: 5) == [.tooLong, line("1")])
        #expect(events(["1234567"], maximumLength: 5) == [.tooLong])
    }

    @Test("The lines don't depend on how the bytes are cut into pieces")
    func pieces() {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for _ in 0..<TestTier.count(quick: 300, all: 2_000, torture: 20_000) {
            let length = Int.random(in: 0...40, using: &random)
            let text = (0..<length).map { _ in
                String("ab\n\r ".randomElement(using: &random) ?? "a")
            }.joined()
            var pieces: [String] = []
            var rest = Array(text.unicodeScalars)[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &random)
                pieces.append(String(String.UnicodeScalarView(rest.prefix(count))))
                rest = rest.dropFirst(count)
            }
            #expect(
                events(pieces, maximumLength: 6) == events([text], maximumLength: 6),
                "seed \(seed), \(pieces)")
        }
    }
}
