import Foundation
import HealthKit
import Testing

/// Heartbeat series, with code in the manner of apps.
@Suite struct StrapRecorderTests {
    private let fixture: ClientFixture
    private let recorder: StrapRecorder
    private let beats = [(0.0, false), (1, false), (2, false), (5.5, true), (6, false)]
        .map { StrapRecorder.Beat(time: $0.0, isAfterGap: $0.1) }

    init() throws {
        fixture = try ClientFixture()
        recorder = StrapRecorder(healthStore: fixture.store)
    }

    private func day(_ number: Int) -> Date {
        fixture.midnight.addingTimeInterval(Double(number) * 3600)
    }

    @Test("saved beats come back one by one, with gaps, by both kinds of queries")
    func roundTrip() async throws {
        try await recorder.authorize()
        let series: HKHeartbeatSeriesSample = try await withCheckedThrowingContinuation { done in
            recorder.save(beats, from: day(8)) { series, error in
                if let series { done.resume(returning: series) }
                if let error { done.resume(throwing: error) }
            }
        }
        #expect(series.count == 5)
        #expect(series.startDate == day(8))
        #expect(series.endDate == day(8).addingTimeInterval(6))
        #expect(series.metadata?["strap"] as? String == "H10")
        #expect(try await recorder.beats(of: series) == beats)
        // Three intervals: 1, 1 and 0.5 s.
        #expect(try await recorder.meanRate(of: series) == 72)
    }

    @Test("recordings are found by time, and deleted like other samples")
    func recordings() async throws {
        try await recorder.authorize()
        let first = try await recorder.save(beats, from: day(8))
        let second = try await recorder.save(Array(beats.prefix(2)), from: day(12))
        #expect(try await recorder.recordings().map(\.uuid) == [second.uuid, first.uuid])
        let morning = DateInterval(start: day(7), end: day(10))
        #expect(try await recorder.recordings(in: morning).map(\.count) == [5])
        try await fixture.store.delete(first)
        #expect(try await recorder.recordings() == [second])
        await #expect(throws: HKError.self) { try await recorder.beats(of: first) }
    }

    @Test("without permission nothing is saved")
    func permission() async throws {
        let closed = try ClientFixture(authorization: .deny)
        let recorder = StrapRecorder(healthStore: closed.store)
        try await recorder.authorize()
        await #expect {
            _ = try await recorder.save(beats, from: day(8))
        } throws: { ($0 as? HKError)?.code == .errorAuthorizationDenied }
        #expect(try await recorder.recordings().isEmpty)
    }
}
