import Foundation
import HealthKit
import Testing

/// Questionnaires, with code in the manner of apps.
@Suite struct CheckInTests {
    private let fixture: ClientFixture
    private let checkIn: CheckIn

    init() throws {
        fixture = try ClientFixture()
        checkIn = CheckIn(healthStore: fixture.store)
    }

    private func at(_ hour: Double) -> Date { fixture.midnight.addingTimeInterval(hour * 3600) }

    @Test("saved answers come back with score and risk")
    func roundTrip() async throws {
        try await checkIn.authorize()
        _ = try await checkIn.saveAnxiety([3, 3, 2, 1, 1, 0, 0], at: at(1))
        _ = try await checkIn.saveAnxiety([0, 0, 0, 0, 0, 0, 4 - 3], at: at(9))
        let found = try await checkIn.anxiety(since: at(0))
        #expect(found.map(checkIn.line) == ["GAD-7 10: moderate", "GAD-7 1: none to minimal"])
        #expect(found.first?.answers.map(\.rawValue) == [3, 3, 2, 1, 1, 0, 0])
        #expect(found.first?.startDate == at(1) && found.first?.endDate == at(1))
        #expect(found.first?.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
        #expect(try await checkIn.anxiety(since: at(5)).count == 1)
    }

    @Test("a question that a person doesn't answer adds nothing")
    func unanswered() async throws {
        try await checkIn.authorize()
        let saved = try await checkIn.saveDepression([1, 1, 1, 1, 1, 1, 1, 1, nil], at: at(1))
        _ = try await checkIn.saveDepression([3, 3, 3, 3, 3, 3, 3, 3, 3], at: at(2))
        #expect(saved.risk == .mild)
        let found = try await checkIn.depression()
        #expect(found.map(checkIn.line) == ["PHQ-9 8 of 24", "PHQ-9 27 of 27"])
        #expect(found.map(\.risk) == [.mild, .severe])
    }

    @Test("answers that are missing are an error, and nothing is saved")
    func incomplete() async throws {
        try await checkIn.authorize()
        await #expect { try await checkIn.saveDepression([1, 2], at: at(1)) } throws: {
            ($0 as? HKError)?.code == .errorInvalidArgument
        }
        await #expect(throws: CheckIn.Failure.self) {
            try await checkIn.saveAnxiety([1, 2, 3], at: at(1))
        }
        #expect(try await checkIn.depression().isEmpty)
    }

    @Test("a denied read looks like no answers of other apps")
    func denied() async throws {
        let denying = try ClientFixture(authorization: .deny)
        let checkIn = CheckIn(healthStore: denying.store)
        try await checkIn.authorize()
        await #expect {
            try await checkIn.saveDepression(.init(repeating: 0, count: 9), at: at(1))
        } throws: { ($0 as? HKError)?.code == .errorAuthorizationDenied }
        #expect(try await checkIn.depression().isEmpty)
    }
}
