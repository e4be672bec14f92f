import Foundation
import HealthTesting
import OpenHealthKit
import Testing

/// Characteristics of a person (Semantics §8.13) and preferred units (§9.8).
@Suite struct CharacteristicsTests {
    private static let types: Set<HKObjectType> = [
        HKCharacteristicType(.biologicalSex), HKCharacteristicType(.bloodType),
        HKCharacteristicType(.dateOfBirth), HKCharacteristicType(.fitzpatrickSkinType),
        HKCharacteristicType(.wheelchairUse), HKCharacteristicType(.activityMoveMode),
    ]

    @Test(
        "§8.13 characteristics that are set can be read",
        .covers(
            "HKHealthStore.biologicalSex()", "HKHealthStore.bloodType()",
            "HKHealthStore.fitzpatrickSkinType()", "HKHealthStore.wheelchairUse()",
            "HKHealthStore.activityMoveMode()", "HKHealthStore.dateOfBirthComponents()",
            "HKHealthStore.dateOfBirth()"))
    func values() async throws {
        let fixture = StoreFixture()
        let store = fixture.store
        try await store.requestAuthorization(toShare: [], read: Self.types)
        try store.setBiologicalSex(.female)
        try store.setBloodType(.abNegative)
        try store.setFitzpatrickSkinType(.IV)
        try store.setWheelchairUse(.yes)
        try store.setActivityMoveMode(.appleMoveTime)
        try store.setDateOfBirth(DateComponents(year: 1984, month: 2, day: 29))
        #expect(try store.biologicalSex().biologicalSex == .female)
        #expect(try store.bloodType().bloodType == .abNegative)
        #expect(try store.fitzpatrickSkinType().skinType == .IV)
        #expect(try store.wheelchairUse().wheelchairUse == .yes)
        #expect(try store.activityMoveMode().activityMoveMode == .appleMoveTime)
        let birth = try store.dateOfBirthComponents()
        #expect([birth.year, birth.month, birth.day] == [1984, 2, 29])
        #expect(birth.calendar?.identifier == .gregorian)
        let date = try store.dateOfBirth()
        let calendar = store.configuration.calendar
        #expect(calendar.dateComponents([.year, .month, .day, .hour], from: date).hour == 0)
        #expect(calendar.component(.day, from: date) == 29)
    }

    @Test("§8.13 unset characteristics are notSet; an unset date of birth is errorNoData")
    func unset() async throws {
        let store = StoreFixture().store
        try await store.requestAuthorization(toShare: [], read: Self.types)
        try await expectNothing(store)
        let date = await failure { _ = try store.dateOfBirth() }
        #expect(date?.code == .errorNoData)
        let invalid = await failure {
            try store.setDateOfBirth(DateComponents(year: 1985, month: 2, day: 29))
        }
        #expect(invalid?.code == .errorInvalidArgument)
    }

    @Test("§8.13 a denied characteristic looks like an unset one")
    func denied() async throws {
        let store = StoreFixture(.deny).store
        try store.setBiologicalSex(.male)
        try store.setBloodType(.oPositive)
        try store.setWheelchairUse(.no)
        try store.setFitzpatrickSkinType(.I)
        try store.setDateOfBirth(DateComponents(year: 1980, month: 1, day: 1))
        try await store.requestAuthorization(toShare: [], read: Self.types)
        try await expectNothing(store)
    }

    private func expectNothing(_ store: HKHealthStore) async throws {
        #expect(try store.biologicalSex().biologicalSex == .notSet)
        #expect(try store.bloodType().bloodType == .notSet)
        #expect(try store.fitzpatrickSkinType().skinType == .notSet)
        #expect(try store.wheelchairUse().wheelchairUse == .notSet)
        #expect(try store.activityMoveMode().activityMoveMode == .activeEnergy)
        let birth = await failure { _ = try store.dateOfBirthComponents() }
        #expect(birth?.code == .errorNoData)
    }

    @Test("§8.13 a characteristic that was never requested fails with code 5")
    func neverRequested() async throws {
        let store = StoreFixture().store
        let error = await failure { _ = try store.biologicalSex() }
        #expect(error?.code == .errorAuthorizationNotDetermined)
    }

    @Test(
        "§9.8 preferred units are those of the region",
        .covers("HKHealthStore.preferredUnits(for:completion:)"),
        arguments: [
            ("DE", ["kg", "cm", "km", "degC", "mg/dL"]),
            ("US", ["lb", "ft", "mi", "degF", "mg/dL"]),
            ("GB", ["st", "ft", "mi", "degC", "mmol<180.1558800000541>/L"]),
        ])
    func regions(region: String, expected: [String]) async throws {
        let types: [HKQuantityType] = [
            HKQuantityType(.bodyMass), HKQuantityType(.height),
            HKQuantityType(.distanceWalkingRunning), HKQuantityType(.bodyTemperature),
            HKQuantityType(.bloodGlucose),
        ]
        let store = StoreFixture { $0.region = Locale.Region(region) }.store
        try await store.requestAuthorization(toShare: [], read: Set(types))
        let units = try await store.preferredUnits(for: Set(types))
        #expect(types.map { units[$0] } == expected.map { HKUnit(from: $0) })
    }

    @Test(
        "§9.8 a stored unit overrides the region's and posts HKUserPreferencesDidChange",
        .covers(
            "NSNotification.Name.HKUserPreferencesDidChange",
            "HKUserPreferencesDidChangeNotification"))
    func chosen() async throws {
        let store = StoreFixture { $0.region = Locale.Region("US") }.store
        let mass = StoreFixture.mass
        try await StoreFixture.requestAuthorization(store)
        #expect(
            NSNotification.Name.HKUserPreferencesDidChange.rawValue
                == "HKUserPreferencesDidChangeNotification")
        let notifications = Collected<Bool>()
        let observer = NotificationCenter.default.addObserver(
            forName: .HKUserPreferencesDidChange, object: store, queue: nil
        ) { _ in notifications.add(Thread.isMainThread) }
        try store.setPreferredUnit(.gramUnit(with: .kilo), for: mass)
        #expect(try await store.preferredUnits(for: [mass]) == [mass: .gramUnit(with: .kilo)])
        #expect(await eventually { notifications.all == [false] })
        NotificationCenter.default.removeObserver(observer)
        try store.setPreferredUnit(nil, for: mass)
        #expect(try await store.preferredUnits(for: [mass]) == [mass: .pound()])
        let wrong = await failure { try store.setPreferredUnit(.meter(), for: mass) }
        #expect(wrong?.code == .errorInvalidArgument)
    }

    @Test("§9.8 preferred units of a type never requested fail with code 5")
    func unrequestedUnits() async throws {
        let store = StoreFixture().store
        let error = await failure {
            _ = try await store.preferredUnits(for: [StoreFixture.mass])
        }
        #expect(error?.code == .errorAuthorizationNotDetermined)
    }

    @Test("features of Apple's devices are reported as unavailable")
    func absent() async throws {
        let fixture = try await StoreFixture.authorized()
        let watch = await failure {
            try await fixture.store.startWatchApp(toHandle: HKWorkoutConfiguration())
        }
        #expect(watch?.code == .errorHealthDataUnavailable)
        let split = await withCheckedContinuation { continuation in
            fixture.store.splitTotalEnergy(
                HKQuantity(unit: .kilocalorie(), doubleValue: 100), start: fixture.date(),
                end: fixture.date(60)
            ) { active, basal, error in
                continuation.resume(
                    returning: (active == nil && basal == nil, (error as? HKError)?.code))
            }
        }
        #expect(split.0)
        #expect(split.1 == .errorHealthDataUnavailable)
        let steps = await failure {
            try await fixture.store.recalibrateEstimates(
                sampleType: StoreFixture.steps, date: fixture.date())
        }
        #expect(steps?.code == .errorInvalidArgument)
        let length = await failure {
            try await fixture.store.recalibrateEstimates(
                sampleType: HKQuantityType(.sixMinuteWalkTestDistance), date: fixture.date())
        }
        #expect(length?.code == .errorHealthDataUnavailable)
        try await fixture.store.handleAuthorizationForExtension()
    }
}
