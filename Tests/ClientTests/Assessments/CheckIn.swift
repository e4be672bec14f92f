import Foundation
import HealthKit

/// Saves and shows the results of questionnaires, as a mental-health app does.
@available(iOS 18.0, *)
final class CheckIn: Sendable {
    enum Failure: Error { case incomplete(expected: Int) }

    private let healthStore: HKHealthStore
    private let types: Set<HKSampleType> = [
        HKScoredAssessmentType(.GAD7), HKScoredAssessmentType(.PHQ9),
    ]

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    func authorize() async throws {
        try await healthStore.requestAuthorization(toShare: types, read: types)
    }

    func saveAnxiety(_ answers: [Int], at date: Date) async throws -> HKGAD7Assessment {
        let answers = answers.compactMap(HKGAD7Assessment.Answer.init(rawValue:))
        guard answers.count == 7 else { throw Failure.incomplete(expected: 7) }
        let assessment = HKGAD7Assessment(
            date: date, answers: answers, metadata: [HKMetadataKeyWasUserEntered: true])
        try await healthStore.save(assessment)
        return assessment
    }

    /// Saves answers; nil for the last one if the person didn't want to answer it.
    func saveDepression(_ answers: [Int?], at date: Date) async throws -> HKPHQ9Assessment {
        let answers = answers.compactMap { answer in
            answer.map { HKPHQ9Assessment.Answer(rawValue: $0) } ?? .preferNotToAnswer
        }
        let assessment = HKPHQ9Assessment(date: date, answers: answers)
        try await healthStore.save(assessment)
        return assessment
    }

    func anxiety(since date: Date) async throws -> [HKGAD7Assessment] {
        try await HKSampleQueryDescriptor(
            predicates: [
                .gad7Assessment(HKQuery.predicateForSamples(withStart: date, end: nil))
            ], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: healthStore)
    }

    func depression() async throws -> [HKPHQ9Assessment] {
        try await HKSampleQueryDescriptor(
            predicates: [.phq9Assessment()],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: healthStore)
    }

    func line(_ assessment: HKScoredAssessment) -> String {
        switch assessment {
        case let anxiety as HKGAD7Assessment:
            switch anxiety.risk {
            case .noneToMinimal: "GAD-7 \(anxiety.score): none to minimal"
            case .mild: "GAD-7 \(anxiety.score): mild"
            case .moderate: "GAD-7 \(anxiety.score): moderate"
            case .severe: "GAD-7 \(anxiety.score): severe"
            @unknown default: "GAD-7 \(anxiety.score)"
            }
        case let depression as HKPHQ9Assessment:
            depression.answers.last == .preferNotToAnswer
                ? "PHQ-9 \(depression.score) of 24" : "PHQ-9 \(depression.score) of 27"
        default: "\(assessment.score)"
        }
    }
}
