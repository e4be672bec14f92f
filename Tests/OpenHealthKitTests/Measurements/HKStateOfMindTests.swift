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
        }
    }
}
