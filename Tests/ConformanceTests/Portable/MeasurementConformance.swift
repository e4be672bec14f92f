import Testing

/// §10.5d and §10.5e: audiograms and prescriptions that this app saves.
@Suite(.reported) struct MeasurementConformance {
    @Test(
        "§10.5 an audiogram comes back with its points",
        .covers(
            "HKAudiogramSample", "HKAudiogramSample.sensitivityPoints",
            "HKAudiogramSensitivityPoint.frequency", "HKSamplePredicate.audiogram(_:)"))
    func audiogram() async throws {
        try await TestDays.with { days in
            let point = try HKAudiogramSensitivityPoint(
                frequency: HKQuantity(unit: .hertz(), doubleValue: 1000),
                leftEarSensitivity: HKQuantity(unit: .decibelHearingLevel(), doubleValue: 12.5),
                rightEarSensitivity: nil)
            let sample = HKAudiogramSample(
                sensitivityPoints: [point], start: days.at(8), end: days.at(8, 5), metadata: nil)
            try await days.store.save(sample)
            let found = try await HKSampleQueryDescriptor(
                predicates: [.audiogram(days.ownSamples)], sortDescriptors: []
            ).result(for: days.store)
            #expect(found.map(\.uuid) == [sample.uuid])
            let saved = try #require(found.first?.sensitivityPoints.first)
            #expect(saved.frequency.doubleValue(for: .hertz()) == 1000)
            #expect(
                saved.leftEarSensitivity?.doubleValue(for: .decibelHearingLevel()) == 12.5)
            #expect(saved.rightEarSensitivity == nil)
        }
    }

    @Test(
        "§10.5 a prescription comes back with its lenses, and its prism in both notations",
        .covers(
            "HKGlassesPrescription", "HKGlassesPrescription.rightEye", "HKVisionPrism.amount",
            "HKVisionPrism.verticalBase", "HKSamplePredicate.visionPrescription(_:)"))
    func prescription() async throws {
        try await TestDays.with { days in
            let type = HKObjectType.visionPrescriptionType()
            try await days.store.requestAuthorization(toShare: [type], read: [])
            let prism = HKVisionPrism(
                amount: HKQuantity(unit: .prismDiopter(), doubleValue: 2),
                angle: HKQuantity(unit: .degreeAngle(), doubleValue: 90), eye: .right)
            let lens = HKGlassesLensSpecification(
                sphere: HKQuantity(unit: .diopter(), doubleValue: -1.75), cylinder: nil,
                axis: nil, addPower: nil, vertexDistance: nil, prism: prism,
                farPupillaryDistance: nil, nearPupillaryDistance: nil)
            let sample = HKGlassesPrescription(
                rightEyeSpecification: lens, leftEyeSpecification: nil, dateIssued: days.at(8),
                expirationDate: nil, device: nil, metadata: nil)
            try await days.store.save(sample)
            let found = try await HKSampleQueryDescriptor(
                predicates: [.visionPrescription(days.ownSamples)], sortDescriptors: []
            ).result(for: days.store)
            try await days.store.delete(sample)
            let saved = try #require(found.first as? HKGlassesPrescription)
            #expect(saved.uuid == sample.uuid && saved.dateIssued == days.at(8))
            #expect(saved.rightEye?.sphere.doubleValue(for: .diopter()) == -1.75)
            #expect(saved.rightEye?.prism?.verticalBase == .up)
            #expect(saved.rightEye?.prism?.amount.doubleValue(for: .prismDiopter()) == 2)
            #expect(saved.leftEye == nil)
        }
    }
}
