import Foundation
import HealthTesting
import OpenHealthKit
import Testing

/// States of mind and assessments in a store.
@Suite("Stored states of mind and assessments")
struct StoredMindTests {
    private let date = Date(timeIntervalSinceReferenceDate: 780_000_000)
    private let store = HKHealthStore.inMemory(configuration: .withoutSummary)

    private func samples<Sample: HKSample>(
        _ predicate: HKSamplePredicate<Sample>
    ) async throws -> [Sample] {
        try await HKSampleQueryDescriptor(
            predicates: [predicate], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    private func authorize(_ types: Set<HKSampleType>) async throws {
        try await store.requestAuthorization(toShare: types, read: types)
    }

    @Test(
        "stored states of mind are found by their own predicates",
        .covers(
            "HKSamplePredicate.stateOfMind(_:)", "HKQuery.predicateForStatesOfMind(with:)",
            "HKQuery.predicateForStatesOfMind(withValence:operatorType:)"))
    func statesOfMind() async throws {
        try await authorize([.stateOfMindType()])
        let moods = [
            HKStateOfMind(
                date: date, kind: .dailyMood, valence: -0.5, labels: [.sad],
                associations: [.work, .money]),
            HKStateOfMind(
                date: date + 60, kind: .momentaryEmotion, valence: 0.25, labels: [.calm],
                associations: [.family]),
            HKStateOfMind(
                date: date + 120, kind: .momentaryEmotion, valence: 0.75, labels: [.calm, .happy],
                associations: [], metadata: ["diary": 7]),
        ]
        try await store.save(moods)
        func found(_ predicate: NSPredicate?) async throws -> [Double] {
            try await samples(.stateOfMind(predicate)).map(\.valence)
        }
        #expect(try await found(nil) == [-0.5, 0.25, 0.75])
        #expect(try await found(HKQuery.predicateForStatesOfMind(with: .dailyMood)) == [-0.5])
        typealias Label = HKStateOfMind.Label
        #expect(
            try await found(HKQuery.predicateForStatesOfMind(with: Label.calm)) == [0.25, 0.75])
        typealias Association = HKStateOfMind.Association
        #expect(
            try await found(HKQuery.predicateForStatesOfMind(with: Association.money)) == [-0.5])
        for (comparison, expected): (_ComparisonOperator, [Double]) in [
            (.greaterThan, [0.75]), (.equalTo, [0.25]), (.lessThanOrEqualTo, [-0.5, 0.25]),
        ] {
            let predicate = HKQuery.predicateForStatesOfMind(
                withValence: 0.25, operatorType: comparison)
            #expect(try await found(predicate) == expected)
        }
        let last = try #require(try await samples(.stateOfMind()).last)
        #expect(last.labels == [.calm, .happy] && last.associations.isEmpty)
        #expect(last.kind == .momentaryEmotion && last.metadata?["diary"] as? Int == 7)
    }

    @Test(
        "stored assessments have their answers, and each questionnaire has its own type",
        .covers("HKSamplePredicate.gad7Assessment(_:)", "HKSamplePredicate.phq9Assessment(_:)"))
    func assessments() async throws {
        try await authorize([HKScoredAssessmentType(.GAD7), HKScoredAssessmentType(.PHQ9)])
        let worried = [HKGAD7Assessment.Answer](repeating: .severalDays, count: 7)
        let sad = [HKPHQ9Assessment.Answer](repeating: .moreThanHalfTheDays, count: 9)
        try await store.save([
            HKGAD7Assessment(date: date, answers: worried),
            HKGAD7Assessment(date: date + 60, answers: worried.dropLast() + [.nearlyEveryDay]),
            HKPHQ9Assessment(date: date, answers: sad),
        ])
        let late = HKQuery.predicateForSamples(withStart: date + 30, end: nil)
        #expect(try await samples(.gad7Assessment()).map(\.score) == [7, 9])
        #expect(try await samples(.gad7Assessment(late)).map(\.score) == [9])
        #expect(try await samples(.phq9Assessment()).map(\.answers) == [sad])
        #expect(try await samples(.phq9Assessment(late)).isEmpty)
    }
}
