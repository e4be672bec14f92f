import Foundation
import HealthEngine
import HealthKit
import HealthSimulator
import OpenHealthKit
import Testing

/// The examples in doc comments: hearing tests, prescriptions, medications and live workouts.
@Suite struct MeasurementExamplesTests {
    private let start = Date(timeIntervalSinceReferenceDate: 796_899_600)
    private var end: Date { start.addingTimeInterval(300) }

    @Test("a hearing test is saved with its points")
    func audiogram() async throws {
        let store = HKHealthStore.inMemory()
        let type = HKObjectType.audiogramSampleType()
        try await store.requestAuthorization(toShare: [type], read: [type])
        let (start, end) = (start, end)
        let point = try HKAudiogramSensitivityPoint(
            frequency: HKQuantity(unit: .hertz(), doubleValue: 1000),
            leftEarSensitivity: HKQuantity(unit: .decibelHearingLevel(), doubleValue: 15),
            rightEarSensitivity: nil)
        let test = HKAudiogramSample(
            sensitivityPoints: [point], start: start, end: end, device: nil, metadata: nil)
        try await store.save(test)
        let found = try await HKSampleQueryDescriptor(
            predicates: [.audiogram()], sortDescriptors: []
        ).result(for: store)
        #expect(found.first?.sensitivityPoints.count == 1)
    }

    @Test("a prism of 90 degrees has its base up")
    func prism() {
        let prism = HKVisionPrism(
            amount: HKQuantity(unit: .prismDiopter(), doubleValue: 2),
            angle: HKQuantity(unit: .degreeAngle(), doubleValue: 90), eye: .left)
        #expect(prism.verticalBase == .up)
        #expect(prism.horizontalBase == .none)
    }

    private func prescription() -> HKGlassesPrescription {
        let lens = HKGlassesLensSpecification(
            sphere: HKQuantity(unit: .diopter(), doubleValue: -1.5), cylinder: nil, axis: nil,
            addPower: nil, vertexDistance: nil, prism: nil, farPupillaryDistance: nil,
            nearPupillaryDistance: nil)
        return HKGlassesPrescription(
            rightEyeSpecification: lens, leftEyeSpecification: nil, dateIssued: start,
            expirationDate: nil, device: nil, metadata: nil)
    }

    @Test("the latest prescription is chosen, and another decision is stored by its UUID")
    func objects() async throws {
        var configuration = HealthStoreConfiguration()
        configuration.authorization = .grant.choosingObjects { prompt in
            Set(prompt.candidates.suffix(1).map(\.identifier))
        }
        let store = HKHealthStore.inMemory(configuration: configuration)
        let type = HKObjectType.visionPrescriptionType()
        try await store.requestAuthorization(toShare: [type], read: [])
        let prescription = prescription()
        try await store.save(prescription)
        try await store.requestPerObjectReadAuthorization(for: type, predicate: nil)
        try store.setAuthorization(of: .visionPrescriptionType(), granting: [prescription.uuid])
    }

    @Test("a medication and a dose are entered as in the Health app, and read by an app")
    func medications() async throws {
        let store = HKHealthStore.inMemory()
        var entry = MedicationEntry("Aspirin 100 mg")
        entry.generalForm = .tablet
        let aspirin = try store.setMedication(entry)
        try store.logDose(DoseEntry(.taken, at: .now, amount: 1), of: aspirin)
        try await store.requestPerObjectReadAuthorization(
            for: .userAnnotatedMedicationType(), predicate: nil)
        let active = HKUserAnnotatedMedicationQueryDescriptor(
            predicate: HKQuery.predicateForUserAnnotatedMedications(isArchived: false))
        let medications = try await active.result(for: store)
        #expect(medications.map(\.medication.displayText) == ["Aspirin 100 mg"])
    }

    @Test("ten minutes of a workout have samples of the simulated sensors")
    func sensor() async throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let clock = ManualClock()
        let store = HKHealthStore.inMemory(configuration: .init(clock: clock))
        let types: Set<HKSampleType> = [
            HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
            HKQuantityType(.basalEnergyBurned), HKQuantityType(.distanceWalkingRunning),
            .workoutType(),
        ]
        try await store.requestAuthorization(toShare: types, read: types)
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        let sensor = WorkoutSensor(store: store, clock: clock, seed: 7)
        sensor.start(session)
        session.startActivity(with: clock.now)
        clock.advance(by: 600)
        let found = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.heartRate))], sortDescriptors: []
        ).result(for: store)
        #expect(!found.isEmpty)
        sensor.stop()
        session.end()
    }
}
