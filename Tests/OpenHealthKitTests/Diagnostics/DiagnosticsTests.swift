import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import OpenHealthKit

/// Findings about how apps use a store.
@Suite struct DiagnosticsTests {
    private let diagnostics = Diagnostics(counter: nil)

    @Test("findings are stored, streamed from the first one, and name the violated rule")
    func findings() async {
        let kinds: [Finding.Kind] = [
            .unlimitedQuery(types: ["stepCount"], rowsRead: 7),
            .queryLeftRunning(query: "HKObserverQuery", types: ["stepCount"], after: .owner),
            .completionNotCalled(types: ["stepCount"]),
            .backgroundDeliveryWithoutObserver(type: "stepCount"),
            .anchorReused(types: ["stepCount"]),
            .overlappingSamplesRead(type: "stepCount", sources: ["a", "b"]),
            .unsuitableStatistics(type: "stepCount", option: "discreteAverage"),
            .deletionsNotRead(types: ["stepCount"], count: 3),
            .changesReadTwice(types: ["stepCount"], count: 3),
            .authorizationNotDetermined(
                MissingGrant(app: "com.example.first", share: ["bodyMass"], read: ["stepCount"])),
        ]
        for kind in kinds.prefix(4) { diagnostics.record(kind) }
        let stream = diagnostics.stream
        for kind in kinds.dropFirst(4) { diagnostics.record(kind) }
        var streamed: [Finding.Kind] = []
        for await finding in stream {
            streamed.append(finding.kind)
            if streamed.count == kinds.count { break }
        }
        #expect(streamed == kinds)
        #expect(diagnostics.findings.map(\.kind) == kinds)
        #expect(Set(diagnostics.findings.map(\.rule)) == Set(Finding.Rule.allCases))
        for finding in diagnostics.findings {
            #expect(finding.description.hasSuffix("Rule: \(finding.rule.rawValue)."))
            #expect(diagnostics.summary.contains(finding.rule.rawValue))
        }
    }

    @Test("the summary lists rules by descending count, and is empty without findings")
    func summary() {
        #expect(diagnostics.summary.isEmpty)
        diagnostics.record(.anchorReused(types: []))
        for _ in 0..<3 { diagnostics.record(.completionNotCalled(types: ["stepCount"])) }
        let lines = diagnostics.summary.split(separator: "\n").filter { $0.contains("×") }
        #expect(lines.map { $0.prefix(5) } == ["  3 ×", "  1 ×"])
    }

    @Test("findings beyond the maximum are counted but not stored")
    func bounded() {
        for _ in 0..<(Diagnostics.maximumFindings + 5) {
            diagnostics.record(.completionNotCalled(types: ["stepCount"]))
        }
        #expect(diagnostics.findings.count == Diagnostics.maximumFindings)
        #expect(diagnostics.summary.contains("\(Diagnostics.maximumFindings + 5) ×"))
    }

    @Test("a store excluded from the summary records findings in its own diagnostics only")
    func excludedStore() {
        let kind = Finding.Kind.overlappingSamplesRead(type: "stepCount", sources: ["a", "b"])
        let counter = DiagnosticsCounter()
        let (counted, uncounted) = (Diagnostics(counter: counter), Diagnostics(counter: nil))
        counted.record(kind)
        uncounted.record(kind)
        uncounted.record(kind)
        #expect(counter.summary.contains("1 × \(Finding(kind).rule.rawValue)"))
        #expect(uncounted.findings.count == 2)
        let excluded = HKHealthStore.inMemory(configuration: .withoutSummary)
        #expect(excluded.diagnostics.counter == nil)
        #expect(HKHealthStore.inMemory().diagnostics.counter === DiagnosticsCounter.process)
    }

    @Test("a pending finding is recorded once, after a second or when findings are read")
    func pendingFindings() async {
        let pending = PendingFinding(cause: .overlappingSamples, app: "a", type: "stepCount")
        let kind = Finding.Kind.overlappingSamplesRead(type: "stepCount", sources: ["a", "b"])
        diagnostics.addPending(pending, kind)
        #expect(diagnostics.findings.map(\.kind) == [kind])
        #expect(diagnostics.findings.count == 1)
        let second = Diagnostics(counter: nil)
        let begin = ContinuousClock.now
        second.addPending(pending, kind)
        for await finding in second.stream {
            #expect(finding.kind == kind)
            break
        }
        #expect(ContinuousClock.now - begin >= .seconds(Diagnostics.clearingPeriod) * 0.9)
    }

    @Test("a pending finding can be cleared before and after it is added")
    func clearing() {
        let pending = PendingFinding(cause: .overlappingSamples, app: "a", type: "stepCount")
        let kind = Finding.Kind.overlappingSamplesRead(type: "stepCount", sources: ["a", "b"])
        diagnostics.addPending(pending, kind)
        diagnostics.clearPending(pending)
        diagnostics.addPending(pending, kind)
        #expect(diagnostics.findings.isEmpty)
        diagnostics.allowPending(pending)
        diagnostics.addPending(pending, kind)
        #expect(diagnostics.findings.count == 1)
    }

    @Test("a batch of deleted objects is a finding unless at least one of them is read")
    func deletions() {
        var readTracker: DeletionReadTracker? = DeletionReadTracker(
            types: ["stepCount"], count: 2, diagnostics: diagnostics)
        readTracker?.markRead()
        readTracker = nil
        #expect(diagnostics.findings.isEmpty)
        readTracker = DeletionReadTracker(types: ["stepCount"], count: 2, diagnostics: diagnostics)
        readTracker = nil
        #expect(
            diagnostics.findings.map(\.kind) == [
                .deletionsNotRead(types: ["stepCount"], count: 2)
            ])
        readTracker = DeletionReadTracker(types: ["stepCount"], count: 0, diagnostics: diagnostics)
        readTracker = nil
        #expect(diagnostics.findings.count == 1)
    }

    @Test("a released completion is a finding at once; one called once or twice is not")
    func completions() {
        let outcomes = Collected<ObserverCompletion.Outcome>()
        var completion: ObserverCompletion? = ObserverCompletion { outcomes.add($0) }
        completion?.call()
        completion?.call()
        completion = nil
        #expect(outcomes.all == [.called])
        completion = ObserverCompletion { outcomes.add($0) }
        completion = nil
        #expect(outcomes.all == [.called, .dropped])
    }

    @Test("background delivery is a finding only without an observer")
    func unobserved() async throws {
        let fixture = try await StoreFixture.authorized()
        let steps = StoreFixture.steps
        // An app has a second to start an observer, which may not be enough here, so it starts one
        // first.
        let number = fixture.store.backgroundDelivery.addObserver(of: [steps.identifier]) {
            $1.call()
        }
        try await fixture.store.enableBackgroundDelivery(for: steps, frequency: .hourly)
        #expect(fixture.store.diagnostics.findings.isEmpty)
        fixture.store.backgroundDelivery.removeObserver(number)
        try await fixture.store.enableBackgroundDelivery(
            for: StoreFixture.mass, frequency: .hourly)
        #expect(
            fixture.store.diagnostics.findings.map(\.kind) == [
                .backgroundDeliveryWithoutObserver(type: StoreFixture.mass.identifier)
            ])
    }

    @Test("an observer counts from its execution, even if it is stopped before it runs")
    func observedBriefly() async throws {
        let fixture = try await StoreFixture.authorized()
        let steps = StoreFixture.steps
        // Nothing is read while the device is locked, so the observer is added only later.
        fixture.store.protectedData.lock()
        let query = HKObserverQuery(sampleType: steps, predicate: nil) { _, done, _ in done() }
        fixture.store.execute(query)
        fixture.store.backgroundDelivery.enable(steps.identifier, every: 0)
        fixture.store.stop(query)
        #expect(fixture.store.diagnostics.findings.isEmpty)
    }

    @Test(
        "samples of two sources overlap if they share more than an instant",
        arguments: [
            ([(0, 10, 0), (5, 15, 1)], true), ([(0, 10, 0), (10, 20, 1)], false),
            ([(0, 10, 0), (5, 15, 0)], false), ([(5, 15, 1), (0, 10, 0)], true),
            ([(0, 100, 0), (10, 20, 0), (50, 60, 1)], true),
            ([(0, 10, 0), (20, 30, 1), (12, 18, 1)], false), ([(0, 10, 0), (5, 5, 1)], false),
            ([(0, 50, 0), (0, 10, 0), (60, 90, 1), (70, 80, 2)], true), ([(0, 9, 1)], false),
        ] as [([(Double, Double, Int32)], Bool)])
    func overlaps(spans: [(Double, Double, Int32)], overlap: Bool) {
        var batch = SampleBatch()
        batch.sources = (0..<3).map { Source(name: "\($0)", bundleIdentifier: "source.\($0)") }
        batch.origins = (0..<3).map { Origin(source: $0) }
        batch.samples = spans.map { Sample(type: 1, origin: $2, start: $0, end: $1) }
        let found = OverlapDetection.overlappingSources(in: batch, count: spans.count)
        #expect((found != nil) == overlap)
        #expect(Set(found ?? []).count == (overlap ? 2 : 0))
    }
}
