import HealthEngine
import Testing

@Suite("Catalogue values")
struct CatalogueValueTests {
    /// The enumerations that rows of the catalogue refer to.
    private var enumerations: Set<String> {
        var names: Set = [Catalogue.workoutActivityType, Catalogue.workoutEventType]
        names.formUnion(Catalogue.types.compactMap(\.valueEnumeration))
        names.formUnion(Catalogue.characteristics.compactMap(\.valueEnumeration))
        for key in Catalogue.metadataKeys {
            if case .enumeration(let name) = key.valueKind { names.insert(name) }
        }
        return names
    }

    @Test("every enumeration that a row names has values, each found by its exported name")
    func roundTrips() {
        var exported: Set<String> = []
        for enumeration in enumerations {
            let values = Catalogue.values(of: enumeration)
            #expect(!values.isEmpty, "\(enumeration)")
            for value in values {
                #expect(value.enumeration == enumeration)
                #expect(exported.insert(value.exportedName).inserted, "\(value.exportedName)")
                #expect(Catalogue.value(exportedAs: value.exportedName) == value)
                #expect(Catalogue.value(named: value.name, of: enumeration) == value)
                let current = Catalogue.value(value.rawValue, of: enumeration)
                #expect(current?.name == value.aliasOf ?? value.name)
            }
        }
        #expect(exported.filter { $0.hasPrefix("HKCategoryValue") }.count >= 60)
    }

    @Test(
        "sleep stages are read under current and former names",
        arguments: [
            ("InBed", 0), ("AsleepUnspecified", 1), ("Asleep", 1), ("Awake", 2), ("AsleepCore", 3),
            ("AsleepDeep", 4), ("AsleepREM", 5),
        ])
    func sleep(stage: String, rawValue: Int) {
        let name = "HKCategoryValueSleepAnalysis" + stage
        #expect(Catalogue.value(exportedAs: name)?.rawValue == rawValue)
        let current = Catalogue.value(rawValue, of: "HKCategoryValueSleepAnalysis")
        #expect(current?.exportedName == (stage == "Asleep" ? name + "Unspecified" : name))
    }

    @Test("workouts and events are found by raw value, name and exported name")
    func workouts() {
        #expect(
            Catalogue.workoutActivity(exportedAs: "HKWorkoutActivityTypeRunning")?.rawValue == 37)
        #expect(Catalogue.workoutActivity(37)?.name == "running")
        #expect(Catalogue.workoutActivity(3000)?.exportedName == "HKWorkoutActivityTypeOther")
        let walking = Catalogue.value(named: "walking", of: Catalogue.workoutActivityType)
        #expect(walking?.rawValue == 52)
        #expect(Catalogue.workoutActivity(exportedAs: "HKWorkoutEventTypePause") == nil)
        #expect(Catalogue.workoutEvent(exportedAs: "HKWorkoutEventTypePause")?.rawValue == 1)
        #expect(Catalogue.workoutEvent(exportedAs: "HKWorkoutActivityTypeRunning") == nil)
        #expect(Catalogue.workoutActivity(-1) == nil)
    }

    @Test(
        "characteristics read as exports write them",
        arguments: [
            ("HKBiologicalSexFemale", "HKBiologicalSex", 1),
            ("HKBloodTypeAPositive", "HKBloodType", 1),
            ("HKBloodTypeNotSet", "HKBloodType", 0),
            ("HKFitzpatrickSkinTypeIII", "HKFitzpatrickSkinType", 3),
            ("HKWheelchairUseYes", "HKWheelchairUse", 2),
        ])
    func characteristics(exported: String, enumeration: String, rawValue: Int) {
        let value = Catalogue.value(exportedAs: exported)
        #expect(value?.enumeration == enumeration)
        #expect(value?.rawValue == rawValue)
        let identifier = "HKCharacteristicTypeIdentifier" + enumeration.dropFirst(2)
        #expect(Catalogue.characteristic(identifier: identifier)?.valueEnumeration == enumeration)
    }

    @Test("a date of birth has no enumeration")
    func dateOfBirth() throws {
        let identifier = "HKCharacteristicTypeIdentifierDateOfBirth"
        let birth = try #require(Catalogue.characteristic(identifier: identifier))
        #expect(birth.valueEnumeration == nil)
    }

    @Test("metadata keys have a value kind")
    func metadata() throws {
        #expect(Catalogue.metadataKey("HKTimeZone")?.valueKind == .string)
        #expect(Catalogue.metadataKey("HKIndoorWorkout")?.valueKind == .boolean)
        #expect(Catalogue.metadataKey("HKMetadataKeySyncVersion")?.valueKind == .number)
        #expect(Catalogue.metadataKey("HKDateOfEarliestDataUsedForEstimate")?.valueKind == .date)
        let condition = Catalogue.metadataKey("HKWeatherCondition")?.valueKind
        #expect(condition == .enumeration("HKWeatherCondition"))
        #expect(Catalogue.metadataKey("Withings Link") == nil)
        var keys: Set<String> = []
        for key in Catalogue.metadataKeys {
            #expect(keys.insert(key.key).inserted)
            if case .quantity(let unit?) = key.valueKind { _ = try HealthUnit(unit) }
        }
        let met = try #require(Catalogue.metadataKey("HKAverageMETs"))
        #expect(met.valueKind == .quantity(unit: "kcal/hr·kg"))
    }

    @Test(
        "the Health app is known in many languages",
        arguments: [
            "Health", "Santé", "Salud", "Saúde", "Здоровье", "健康", "ヘルスケア", "건강", "صحتي", "Υγεία",
        ])
    func healthApp(name: String) {
        #expect(Catalogue.healthAppNames.contains(name))
    }
}
