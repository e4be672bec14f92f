public import Foundation
import HealthEngine

/// The answers to a questionnaire and their score.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKScoredAssessment: HKSample, @unchecked Sendable {
    /// The raw value of each answer, in the order of the questions.
    let rawAnswers: [Int]

    /// Creates an assessment from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - answers: The raw value of each answer.
    public init(_record: SampleRecord, answers: [Int]) {
        rawAnswers = answers
        super.init(_record: _record)
    }

    /// Decodes an assessment; nil if its UUID or type is missing.
    public required init?(coder: NSCoder) {
        rawAnswers = coder.array(of: NSNumber.self, "answers").map(\.intValue)
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(rawAnswers.map { NSNumber(value: $0) } as NSArray, forKey: "answers")
    }

    /// The sum of the answers' raw values.
    open var score: Int { rawAnswers.reduce(0, +) }

    /// The number of questions of the questionnaire.
    var questionCount: Int { 0 }

    override var detail: SampleDetail? {
        .numbers(Dictionary([.answers: rawAnswers.map(Double.init)]))
    }

    override var valueDescription: String { "\(sampleType.identifier) \(score)" }
}

/// The GAD-7 questionnaire: seven answers about anxiety.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKGAD7Assessment: HKScoredAssessment, @unchecked Sendable {
    /// Creates an assessment from seven answers. With another number, `save` throws
    /// `errorInvalidArgument`, and the initializer traps if `OPENHEALTH_STRICT` is 1
    /// (Semantics §10.5g).
    ///
    /// - Parameters:
    ///   - date: The start and end of the sample.
    ///   - answers: The answers, in the order of the questions.
    ///   - metadata: Additional facts, or nil.
    public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
        self.init(
            _record: SampleRecord(
                HKScoredAssessmentType(.GAD7), start: date, end: date, device: nil,
                metadata: metadata),
            answers: answers.map(\.rawValue))
        validateIfStrict()
    }

    override var questionCount: Int { 7 }

    /// The answers, in the order of the questions; unknown stored numbers are omitted.
    open var answers: [Answer] { rawAnswers.compactMap { Answer(rawValue: $0) } }

    /// The risk class of the score: mild from 5, moderate from 10, severe from 15 (inclusive), as
    /// published with the questionnaire (Spitzer and others, 2006). Apple does not publish its own.
    open var risk: Risk {
        switch score {
        case ..<5: .noneToMinimal
        case ..<10: .mild
        case ..<15: .moderate
        default: .severe
        }
    }
}

/// The PHQ-9 questionnaire: nine answers about depression.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKPHQ9Assessment: HKScoredAssessment, @unchecked Sendable {
    /// Creates an assessment from nine answers. With another number, `save` throws
    /// `errorInvalidArgument`, and the initializer traps if `OPENHEALTH_STRICT` is 1
    /// (Semantics §10.5g).
    ///
    /// - Parameters:
    ///   - date: The start and end of the sample.
    ///   - answers: The answers, in the order of the questions. The last question can be left out
    ///     with `preferNotToAnswer`.
    ///   - metadata: Additional facts, or nil.
    public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
        self.init(
            _record: SampleRecord(
                HKScoredAssessmentType(.PHQ9), start: date, end: date, device: nil,
                metadata: metadata),
            answers: answers.map(\.rawValue))
        validateIfStrict()
    }

    override var questionCount: Int { 9 }

    /// The answers, in the order of the questions; unknown stored numbers are omitted.
    open var answers: [Answer] { rawAnswers.compactMap { Answer(rawValue: $0) } }

    /// The sum of the answers' raw values. Unknown answers and `preferNotToAnswer` count as 0.
    open override var score: Int {
        answers.filter { $0 != .preferNotToAnswer }.reduce(0) { $0 + $1.rawValue }
    }

    /// The risk class of the score: mild from 5, moderate from 10, moderately severe from 15,
    /// severe from 20 (inclusive), as published with the questionnaire (Kroenke and others, 2001).
    /// Apple does not publish its own.
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
