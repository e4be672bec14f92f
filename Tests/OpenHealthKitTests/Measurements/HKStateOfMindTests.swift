import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("States of mind and assessments")
struct HKStateOfMindTests {
    private let date = Date(timeIntervalSinceReferenceDate: 780_000_000)

    @Test(
        "a state of mind has the values passed to its initializer",
        .covers(
            "HKStateOfMind", "HKStateOfMind.kind", "HKStateOfMind.valence", "HKStateOfMind.labels",
            "HKStateOfMind.associations", "HKStateOfMind.valenceClassification",
            "HKStateOfMind.init(date:kind:valence:labels:associations:metadata:)"))
    func stateOfMind() throws {
        let mind = HKStateOfMind(
            date: date, kind: .dailyMood, valence: 0.6, labels: [.calm, .proud],
            associations: [.work])
        for state in [mind, try archived(mind)] {
            #expect(state.kind == .dailyMood)
            #expect(state.valence == 0.6)
            #expect(state.valenceClassification == .pleasant)
            #expect(state.labels == [.calm, .proud])
            #expect(state.associations == [.work])
            #expect(state.startDate == date)
            #expect(state.endDate == date)
            #expect(state.sampleType == HKObjectType.stateOfMindType())
        }
    }

    @Test(
        "a valence is classified into one of seven levels",
        arguments: [
            (-1.0, HKStateOfMind.ValenceClassification.veryUnpleasant), (-0.6, .unpleasant),
            (-0.3, .slightlyUnpleasant), (0, .neutral), (1.0 / 7, .neutral),
            (0.2, .slightlyPleasant), (0.5, .pleasant), (1, .veryPleasant),
        ])
    func steps(valence: Double, step: HKStateOfMind.ValenceClassification) {
        #expect(HKStateOfMind.ValenceClassification(valence: valence) == step)
        #expect(HKStateOfMind.ValenceClassification(valence: 1.01) == nil)
        #expect(HKStateOfMind.ValenceClassification(valence: .nan) == nil)
    }

    @Test("the boundaries of valences are ±1/7, ±3/7 and ±5/7, on the side of neutral")
    func boundaries() {
        let classes: [(Double, HKStateOfMind.ValenceClassification)] = [
            (1.0 / 7, .neutral), (3.0 / 7, .slightlyPleasant), (5.0 / 7, .pleasant),
            (1, .veryPleasant),
        ]
        for (boundary, step) in classes {
            let mirrored = HKStateOfMind.ValenceClassification(rawValue: 8 - step.rawValue)
            #expect(HKStateOfMind.ValenceClassification(valence: boundary - 1e-9) == step)
            #expect(HKStateOfMind.ValenceClassification(valence: 1e-9 - boundary) == mirrored)
            let beyond = HKStateOfMind.ValenceClassification(valence: boundary + 1e-9)
            #expect(beyond?.rawValue == (boundary == 1 ? nil : step.rawValue + 1))
        }
    }

    @Test("a valence outside -1...1 can't be saved; the limits can", arguments: [-1.0, 0, 1])
    func savedValence(valence: Double) async throws {
        let fixture = StoreFixture()
        try await fixture.store.requestAuthorization(toShare: [.stateOfMindType()], read: [])
        func mind(_ valence: Double) -> HKStateOfMind {
            HKStateOfMind(
                date: date, kind: .dailyMood, valence: valence, labels: [], associations: [])
        }
        try await fixture.store.save(mind(valence))
        for invalid in [valence.magnitude + 1.001, -1.001 - valence.magnitude, .nan, .infinity] {
            let error = await #expect(throws: HKError.self) {
                try await fixture.store.save(mind(invalid))
            }
            #expect(error?.code == .errorInvalidArgument)
        }
    }

    @Test("an assessment with another number of answers can't be saved")
    func savedAnswers() async throws {
        let fixture = StoreFixture()
        try await fixture.store.requestAuthorization(
            toShare: [HKScoredAssessmentType(.GAD7), HKScoredAssessmentType(.PHQ9)], read: [])
        for count in 0...10 {
            let assessments = [
                HKGAD7Assessment(date: date, answers: .init(repeating: .notAtAll, count: count)),
                HKPHQ9Assessment(date: date, answers: .init(repeating: .notAtAll, count: count)),
            ]
            for (assessment, expected) in zip(assessments, [7, 9]) {
                let isValid = (try? assessment.validate()) != nil
                #expect(isValid == (count == expected))
                if count == expected { try await fixture.store.save(assessment) }
            }
        }
        let error = await #expect(throws: HKError.self) {
            try await fixture.store.save(HKGAD7Assessment(date: date, answers: []))
        }
        #expect(error?.code == .errorInvalidArgument)
    }

    /// The tables of Spitzer and others (2006, GAD-7) and of Kroenke and others (2001, PHQ-9).
    @Test("each score has the risk of the questionnaire's published table")
    func risks() {
        for score in 0...21 {
            let answers = (0..<7).map { HKGAD7Assessment.Answer(rawValue: part($0, score)) }
            let assessment = HKGAD7Assessment(date: date, answers: answers.compactMap { $0 })
            let expected: HKGAD7Assessment.Risk =
                switch score {
                case 0...4: .noneToMinimal
                case 5...9: .mild
                case 10...14: .moderate
                default: .severe
                }
            #expect(assessment.score == score && assessment.risk == expected)
        }
        for score in 0...27 {
            let answers = (0..<9).map { HKPHQ9Assessment.Answer(rawValue: part($0, score)) }
            let assessment = HKPHQ9Assessment(date: date, answers: answers.compactMap { $0 })
            let expected: HKPHQ9Assessment.Risk =
                switch score {
                case 0...4: .noneToMinimal
                case 5...9: .mild
                case 10...14: .moderate
                case 15...19: .moderatelySevere
                default: .severe
                }
            #expect(assessment.score == score && assessment.risk == expected)
        }
    }

    /// Returns the answer to a question, 0 to 3, of answers that add up to a score.
    private func part(_ question: Int, _ score: Int) -> Int { min(3, max(0, score - 3 * question)) }

    @Test(
        "the GAD-7 score is the sum of its answers",
        .covers(
            "HKGAD7Assessment", "HKGAD7Assessment.answers", "HKGAD7Assessment.risk",
            "HKGAD7Assessment.init(date:answers:metadata:)", "HKScoredAssessment",
            "HKScoredAssessment.score"))
    func anxiety() throws {
        let assessment = HKGAD7Assessment(
            date: date,
            answers: [
                .nearlyEveryDay, .nearlyEveryDay, .moreThanHalfTheDays, .severalDays, .severalDays,
                .notAtAll, .notAtAll,
            ])
        for assessment in [assessment, try archived(assessment)] {
            #expect(assessment.score == 10)
            #expect(assessment.risk == .moderate)
            #expect(assessment.answers.first == .nearlyEveryDay)
            #expect(assessment.answers.count == 7)
            #expect(assessment.sampleType == HKScoredAssessmentType(.GAD7))
            #expect(assessment.startDate == date && assessment.endDate == date)
        }
        let calm = [HKGAD7Assessment.Answer](repeating: .notAtAll, count: 7)
        #expect(HKGAD7Assessment(date: date, answers: calm).risk == .noneToMinimal)
        let worst = [HKGAD7Assessment.Answer](repeating: .nearlyEveryDay, count: 7)
        #expect(HKGAD7Assessment(date: date, answers: worst).risk == .severe)
    }

    @Test(
        "an answer of preferNotToAnswer adds nothing to the score",
        .covers("HKPHQ9Assessment", "HKPHQ9Assessment.*"))
    func depression() throws {
        let answers = [HKPHQ9Assessment.Answer](repeating: .moreThanHalfTheDays, count: 8)
        let assessment = HKPHQ9Assessment(date: date, answers: answers + [.preferNotToAnswer])
        for assessment in [assessment, try archived(assessment)] {
            #expect(assessment.score == 16)
            #expect(assessment.risk == .moderatelySevere)
            #expect(assessment.answers.last == .preferNotToAnswer)
            #expect(assessment.sampleType == HKScoredAssessmentType(.PHQ9))
            #expect(assessment.startDate == date && assessment.endDate == date)
        }
    }
}
