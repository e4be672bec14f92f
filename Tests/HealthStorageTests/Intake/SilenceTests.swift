import Foundation
import HealthCalendar
import HealthEngine
import Testing

@testable import HealthStorage

/// What phones no longer send, in UTC days counted from 2001-01-01.
@Suite struct SilenceTests {
    private static let day = 86_400.0
    private let utc = CalendarBuckets(timeZone: .gmt)
    private let store: SampleStore

    init() throws { store = try SampleStore.inMemory() }

    private func time(_ day: Double) -> Double { (9_000 + day) * Self.day }

    private func contact(_ device: String, _ days: some Sequence<Double>) throws {
        let phone = SendingPhone(store: store, device: device)
        for day in days { try phone.send(IntakeBatch(), at: time(day)) }
    }

    private func silences(on day: Double) throws -> [String] {
        try store.silences(now: time(day), in: utc).map { silence in
            switch silence {
            case .device(let device):
                "\(device.name) silent since \(device.since / Self.day - 9_000)"
            case .types(let types, let device, let since):
                "\(device) without \(types.map(\.name).sorted()) since "
                    + "\((since / Self.day - 9_000).rounded())"
            case .partialTotals(let types, let device, let days):
                "\(device) with part of \(types.map(\.name).sorted()) on \(days) days"
            }
        }
    }

    @Test("a device with daily contact is reported after two days without any")
    func silent() throws {
        try contact("A", [0, 1, 2, 3.5, 4])
        #expect(try store.silentDevices(now: time(6)).isEmpty)
        let found = try store.silentDevices(now: time(6.01))
        #expect(found == [SilentDevice(name: "A", since: time(4))])
        #expect(try silences(on: 40) == ["A silent since 4.0"])
        // Contacts later than now don't count.
        #expect(try store.silentDevices(now: time(3.6)).isEmpty)
        try contact("A", [40])
        #expect(try silences(on: 40.5).isEmpty)
    }

    @Test("a device that was never in contact daily is not reported")
    func irregular() throws {
        try contact("once", [0])
        try contact("twice", [3, 4])
        try contact("weekly", [-21, -14, -7, 0])
        try contact("every other day", [-6, -4, -2, 0])
        #expect(try store.silentDevices(now: time(20)).isEmpty)
    }

    @Test("one missed day in a week still counts as daily")
    func missedDay() throws {
        try contact("A", [0, 1, 2, 4, 5])
        #expect(try store.silentDevices(now: time(9)).map(\.name) == ["A"])
    }

    @Test("a type that one device no longer sends and another does is reported")
    func missingType() throws {
        let (a, b) = (
            SendingPhone(store: store, device: "A", dialect: "open-wearables"),
            SendingPhone(store: store, device: "B", dialect: "open-wearables")
        )
        func send(_ phone: SendingPhone, _ type: String, _ day: Double) throws {
            let uuid = try #require(SampleUUID(UUID().uuidString))
            try phone.send(type, samples: [(time(day) + 600, 7, uuid)], at: time(day) + 3600)
        }
        for day in 0..<20 {
            if day < 10 { try send(a, "stepCount", Double(day)) }
            try send(a, "heartRate", Double(day))
            try send(b, "stepCount", Double(day))
        }
        #expect(try silences(on: 20) == ["A without [\"stepCount\"] since 9.0"])
        // Two days without data are no silence.
        #expect(try silences(on: 11.5).isEmpty)
        // Nobody else has heart rates.
        for day in 20..<30 { try send(a, "stepCount", Double(day)) }
        #expect(try silences(on: 20).count == 1)
        #expect(try !silences(on: 30).contains { $0.contains("without") })
    }

    @Test("totals that are sent during the day and never again are incomplete")
    func partial() throws {
        let phone = SendingPhone(store: store, device: "A")
        for day in 0..<10 {
            try phone.send(
                "stepCount", totals: [(time(Double(day)), time(Double(day) + 1), 500)],
                at: time(Double(day) + 0.6))
        }
        #expect(try silences(on: 9.9) == ["A with part of [\"stepCount\"] on 7 days"])
        for day in 1..<9 {
            try phone.send(
                "stepCount", totals: [(time(Double(day)), time(Double(day) + 1), 900)],
                at: time(9.7))
        }
        #expect(try silences(on: 9.9).isEmpty)
    }
}
