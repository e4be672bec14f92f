import Testing

/// §10.5: states of mind and questionnaires.
@Suite(.reported) struct MindConformance {
    @available(iOS 18, watchOS 11, visionOS 2, *)
    @Test(
        "§10.5 a state of mind is found by kind, label, association and valence",
        .covers(
            "HKStateOfMind", "HKSamplePredicate.stateOfMind(_:)",
            "HKQuery.predicateForStatesOfMind(with:)",
            "HKQuery.predicateForStatesOfMind(withValence:operatorType:)"))
    func statesOfMind() async throws {
        try await TestDays.with { days in
            let sad = HKStateOfMind(
                date: days.at(9), kind: .momentaryEmotion, valence: -0.5,
                labels: [.sad, .anxious], associations: [.work])
            let happy = HKStateOfMind(
                date: days.at(20), kind: .dailyMood, valence: 1, labels: [.happy],
                associations: [.family, .friends])
            try await days.store.save([sad, happy])
            func found(_ predicate: NSPredicate) async throws -> [HKStateOfMind] {
                let both = NSCompoundPredicate(
                    andPredicateWithSubpredicates: [days.ownSamples, predicate])
                return try await HKSampleQueryDescriptor(
                    predicates: [.stateOfMind(both)],
                    sortDescriptors: [SortDescriptor(\.startDate)]
                ).result(for: days.store)
            }
            let mood = HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Kind.dailyMood)
            let anxious = HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Label.anxious)
            let friends = HKQuery.predicateForStatesOfMind(
                with: HKStateOfMind.Association.friends)
            let unpleasant = HKQuery.predicateForStatesOfMind(
                withValence: 0, operatorType: .lessThan)
            #expect(try await found(mood).map(\.uuid) == [happy.uuid])
            #expect(try await found(anxious).map(\.uuid) == [sad.uuid])
            #expect(try await found(friends).map(\.uuid) == [happy.uuid])
            #expect(try await found(unpleasant).map(\.uuid) == [sad.uuid])
            let first = try #require(try await found(NSPredicate(value: true)).first)
            #expect(first.kind == .momentaryEmotion && first.valence == -0.5)
            #expect(Set(first.labels) == [.sad, .anxious] && first.associations == [.work])
            #expect(first.startDate == days.at(9) && first.endDate == days.at(9))
        }
    }

    @available(iOS 18, watchOS 11, visionOS 2, *)
    @Test(
        "§10.5 questionnaires come back with their answers, score and risk",
        .covers(
            "HKGAD7Assessment", "HKPHQ9Assessment", "HKSamplePredicate.gad7Assessment(_:)",
            "HKSamplePredicate.phq9Assessment(_:)"))
    func questionnaires() async throws {
        try await TestDays.with { days in
            let anxiety: [HKGAD7Assessment.Answer] = [
                .nearlyEveryDay, .nearlyEveryDay, .moreThanHalfTheDays, .severalDays, .severalDays,
                .notAtAll, .notAtAll,
            ]
            let depression =
                [HKPHQ9Assessment.Answer](repeating: .moreThanHalfTheDays, count: 8)
                + [.preferNotToAnswer]
            try await days.store.save([
                HKGAD7Assessment(date: days.at(1), answers: anxiety),
                HKPHQ9Assessment(date: days.at(2), answers: depression),
            ])
            let gad7 = try await HKSampleQueryDescriptor(
                predicates: [.gad7Assessment(days.ownSamples)], sortDescriptors: []
            ).result(for: days.store)
            #expect(gad7.map(\.score) == [10] && gad7.map(\.risk) == [.moderate])
            #expect(gad7.map(\.answers) == [anxiety])
            let phq9 = try await HKSampleQueryDescriptor(
                predicates: [.phq9Assessment(days.ownSamples)], sortDescriptors: []
            ).result(for: days.store)
            #expect(phq9.map(\.score) == [16] && phq9.map(\.answers) == [depression])
        }
    }
}
