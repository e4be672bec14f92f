import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Heartbeat series")
struct HeartbeatSeriesTests {
    let fixture = StoreFixture()
    let type = HKSeriesType.heartbeat()

    private func authorize() async throws {
        try await fixture.store.requestAuthorization(toShare: [type], read: [type])
    }

    private func builder() -> HKHeartbeatSeriesBuilder {
        HKHeartbeatSeriesBuilder(healthStore: fixture.store, device: nil, start: fixture.date())
    }

    private func beats(
        of series: HKHeartbeatSeriesSample
    ) async throws -> [HKHeartbeatSeriesQueryDescriptor.Heartbeat] {
        let descriptor = HKHeartbeatSeriesQueryDescriptor(series)
        #expect(descriptor.sample === series)
        var beats: [HKHeartbeatSeriesQueryDescriptor.Heartbeat] = []
        for try await beat in descriptor.results(for: fixture.store) { beats.append(beat) }
        return beats
    }

    @Test(
        "§10.5 a series has the beats that were added, in order, with its gaps",
        .covers(
            "HKHeartbeatSeriesSample", "HKHeartbeatSeriesBuilder", "HKSeriesSample",
            "HKSeriesSample.count",
            "HKHeartbeatSeriesBuilder.init(healthStore:device:start:)",
            "HKHeartbeatSeriesBuilder.addHeartbeat(at:precededByGap:)",
            "HKHeartbeatSeriesBuilder.addMetadata(_:)", "HKHeartbeatSeriesBuilder.finishSeries()",
            "HKHeartbeatSeriesQueryDescriptor", "HKHeartbeatSeriesQueryDescriptor.Heartbeat",
            "HKHeartbeatSeriesQueryDescriptor.init(_:)",
            "HKHeartbeatSeriesQueryDescriptor.sample",
            "HKHeartbeatSeriesQueryDescriptor.results(for:)",
            "HKHeartbeatSeriesQueryDescriptor.Heartbeat.timeIntervalSinceStart",
            "HKHeartbeatSeriesQueryDescriptor.Heartbeat.precededByGap",
            "HKSamplePredicate.heartbeatSeries(_:)"))
    func roundTrip() async throws {
        try await authorize()
        let device = HKDevice(
            name: "Strap", manufacturer: nil, model: nil, hardwareVersion: nil,
            firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil,
            udiDeviceIdentifier: nil)
        let builder = HKHeartbeatSeriesBuilder(
            healthStore: fixture.store, device: device, start: fixture.date())
        let times = (0..<900).map { Double($0) * 0.8 + Double($0 % 7) / 30 }
        for (index, time) in times.enumerated() {
            try await builder.addHeartbeat(at: time, precededByGap: index % 100 == 99)
        }
        try await builder.addMetadata(["a": 1, "b": "x"])
        try await builder.addMetadata(["b": "y"])
        let series = try await builder.finishSeries()
        #expect(series.count == 900)
        #expect(series.startDate == fixture.date())
        #expect(series.endDate == fixture.date(times[899]))
        #expect(series.device?.name == "Strap")
        #expect(series.metadata?["a"] as? Int == 1 && series.metadata?["b"] as? String == "y")
        let found = try await HKSampleQueryDescriptor(
            predicates: [.heartbeatSeries()], sortDescriptors: []
        ).result(for: fixture.store)
        #expect(found == [series])
        #expect((found.first as HKSeriesSample?)?.count == 900)
        for series in [series, try archived(series)] {
            let beats = try await beats(of: series)
            #expect(beats.map(\.timeIntervalSinceStart) == times)
            #expect(beats.map(\.precededByGap) == times.indices.map { $0 % 100 == 99 })
            #expect(series.count == 900)
        }
    }

    @Test(
        "§10.5 the handler of a query reports the last beat once",
        .covers(
            "HKHeartbeatSeriesQuery", "HKHeartbeatSeriesQuery.init(heartbeatSeries:dataHandler:)",
            "HKHeartbeatSeriesBuilder.finishSeries(completion:)",
            "HKHeartbeatSeriesBuilder.addMetadata(_:completion:)",
            "HKHeartbeatSeriesBuilder.addHeartbeatWithTimeInterval(sinceSeriesStartDate:precededByGap:completion:)"
        ))
    func handlers() async throws {
        try await authorize()
        let builder = builder()
        let failures = Locked<[Bool]>([])
        for (time, isAfterGap) in [(0.0, false), (1.0, true), (1.5, false)] {
            builder.addHeartbeatWithTimeInterval(
                sinceSeriesStartDate: time, precededByGap: isAfterGap
            ) { success, _ in failures { $0.append(success) } }
        }
        builder.addMetadata(["a": 1]) { success, _ in failures { $0.append(success) } }
        let series = try await withCheckedThrowingContinuation { continuation in
            builder.finishSeries { series, error in
                continuation.resume(
                    with: series.map { .success($0) }
                        ?? .failure(error ?? HKError(.unknownError)))
            }
        }
        #expect(series.metadata?["a"] as? Int == 1)
        #expect(failures { $0 } == [true, true, true, true])
        #expect(try await calls(series) == ["0.0", "1.0 gap", "1.5 done"])
    }

    private func calls(_ series: HKHeartbeatSeriesSample) async throws -> [String] {
        let calls = Locked<[String]>([])
        return try await withCheckedThrowingContinuation { continuation in
            fixture.store.execute(
                HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, time, gap, done, error in
                    if let error { return continuation.resume(throwing: error) }
                    calls {
                        $0.append("\(time)" + (gap ? " gap" : "") + (done ? " done" : ""))
                    }
                    if done { continuation.resume(returning: calls { $0 }) }
                })
        }
    }

    @Test("§10.5 a beat that is invalid or too many is rejected, and the others are kept")
    func invalid() async throws {
        try await authorize()
        let builder = builder()
        try await builder.addHeartbeat(at: 1, precededByGap: false)
        for time in [-0.1, .nan, .infinity, 1, 0.5] {
            await #expect {
                try await builder.addHeartbeat(at: time, precededByGap: false)
            } throws: { isInvalidArgument($0) }
        }
        #expect(HKHeartbeatSeriesBuilder.maximumCount > 1)
        for index in 1..<HKHeartbeatSeriesBuilder.maximumCount {
            try await builder.addHeartbeat(at: Double(index + 1), precededByGap: false)
        }
        await #expect {
            try await builder.addHeartbeat(at: 1e6, precededByGap: false)
        } throws: { isInvalidArgument($0) }
        #expect(try await builder.finishSeries().count == HKHeartbeatSeriesBuilder.maximumCount)
    }

    @Test(
        "§10.5 a finished, discarded or empty series is not saved",
        .covers(
            "HKHeartbeatSeriesBuilder.maximumCount", "HKSeriesBuilder", "HKSeriesBuilder.discard()",
            "HKHeartbeatSeriesBuilder.addMetadata(_:completion:)"))
    func ended() async throws {
        try await authorize()
        let empty = builder()
        await #expect { try await empty.finishSeries() } throws: { isInvalidArgument($0) }
        try await empty.addHeartbeat(at: 1, precededByGap: false)
        _ = try await empty.finishSeries()
        let discarded = builder()
        try await discarded.addHeartbeat(at: 1, precededByGap: false)
        let base: HKSeriesBuilder = discarded
        base.discard()
        for builder in [empty, discarded] {
            await #expect {
                try await builder.addHeartbeat(at: 2, precededByGap: false)
            } throws: { isInvalidArgument($0) }
            await #expect {
                try await builder.addMetadata([:])
            } throws: {
                isInvalidArgument($0) && $0.localizedDescription.contains("addMetadata")
            }
            await #expect { try await builder.finishSeries() } throws: { isInvalidArgument($0) }
        }
        #expect(HKHeartbeatSeriesBuilder.maximumCount == 2_048)
        #expect(try fixture.store.visibleCount(type) == 1)
    }

    @Test("§8.2 without permission to share, the series stays open and can be saved later")
    func unshared() async throws {
        let builder = builder()
        try await builder.addHeartbeat(at: 1, precededByGap: false)
        let error = await failure { _ = try await builder.finishSeries() }
        #expect(error?.code == .errorAuthorizationNotDetermined)
        try await authorize()
        #expect(try await builder.finishSeries().count == 1)
    }

    @Test("§10.5 a stored series without beats gives one call, and no beats")
    func empty() async throws {
        try await authorize()
        let row = try #require(type.row)
        var batch = SampleBatch(
            sources: [Source(name: "Phone", bundleIdentifier: "a")],
            origins: [Origin(source: 0)])
        batch.samples = [Sample(type: row.code, origin: 0, start: 0, end: 1)]
        batch.details = [0: .heartbeats([])]
        try fixture.store.connection.store.save(batch, uuids: [SampleUUID(UUID())], at: 0)
        let found = try await HKSampleQueryDescriptor(
            predicates: [.heartbeatSeries()], sortDescriptors: []
        ).result(for: fixture.store)
        let series = try #require(found.first)
        #expect(try await calls(series) == ["0.0 done"])
        #expect(try await beats(of: series).isEmpty)
    }
}
