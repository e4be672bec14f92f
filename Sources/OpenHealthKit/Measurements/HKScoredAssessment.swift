public import Foundation
import HealthEngine

/// The answers to a questionnaire and what they add up to.
// Immutable.
open class HKScoredAssessment: HKSample, @unchecked Sendable {
    /// Raw values, question by question.
    let rawAnswers: [Int]

    /// An assessment by its parts; not Apple's.
    public init(_record: SampleRecord, answers: [Int]) {
        rawAnswers = answers
        super.init(_record: _record)
    }

    /// Reads an archived assessment.
    public required init?(coder: NSCoder) {
        rawAnswers = coder.array(of: NSNumber.self, "answers").map(\.intValue)
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(rawAnswers.map { NSNumber(value: $0) } as NSArray, forKey: "answers")
    }

    /// The answers added up.
    open var score: Int { rawAnswers.reduce(0, +) }

    override var detail: SampleDetail? { .numbers(["answers": rawAnswers.map(Double.init)]) }

    override var valueDescription: String { "\(sampleType.identifier) \(score)" }
}

/// Seven answers about anxiety.
// Immutable.
open class HKGAD7Assessment: HKScoredAssessment, @unchecked Sendable {
    /// An assessment of seven answers; any other number is refused by `save`.
    public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
        self.init(
            _record: SampleRecord(
                HKScoredAssessmentType(.GAD7), start: date, end: date, device: nil,
                metadata: metadata),
            answers: answers.map(\.rawValue))
    }

    /// Question by question.
    open var answers: [Answer] { rawAnswers.compactMap { Answer(rawValue: $0) } }

    /// What the score stands for: 5 mild, 10 moderate, 15 severe, as clinics read it; Apple
    /// doesn't publish its borders.
    open var risk: Risk {
        switch score {
        case ..<5: .noneToMinimal
        case ..<10: .mild
        case ..<15: .moderate
        default: .severe
        }
    }
}

/// Nine answers about depression.
// Immutable.
open class HKPHQ9Assessment: HKScoredAssessment, @unchecked Sendable {
    /// An assessment of nine answers; any other number is refused by `save`.
    public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
        self.init(
            _record: SampleRecord(
                HKScoredAssessmentType(.PHQ9), start: date, end: date, device: nil,
                metadata: metadata),
            answers: answers.map(\.rawValue))
    }

    /// Question by question.
    open var answers: [Answer] { rawAnswers.compactMap { Answer(rawValue: $0) } }

    /// The answers added up; one that a person prefers not to give counts nothing.
    open override var score: Int {
        answers.filter { $0 != .preferNotToAnswer }.reduce(0) { $0 + $1.rawValue }
    }

    /// What the score stands for: 5 mild, 10 moderate, 15 moderately severe, 20 severe, as clinics
    /// read it; Apple doesn't publish its borders.
    open var risk: Risk {
        switch score {
        case ..<5: .noneToMinimal
        case ..<10: .mild
        case ..<15: .moderate
        case ..<20: .moderatelySevere
        default: .severe
        }
    }
}
