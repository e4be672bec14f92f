import HealthEngine
import Testing

@Suite("Catalogue")
struct CatalogueTests {
    @Test("it holds every type of the headers")
    func counts() {
        let kinds = Dictionary(grouping: Catalogue.types, by: \.kind).mapValues(\.count)
        #expect(kinds[.quantity] == 120)
        // 70 names; the deprecated audioExposureEvent shares an identifier with another.
        #expect(kinds[.category] == 69)
        #expect(kinds[.correlation] == 2)
        #expect(kinds[.workout] == 1)
        #expect(kinds[.activitySummary] == 1)
        #expect(kinds[.other] == 21)
        let styles = Dictionary(grouping: Catalogue.types, by: \.aggregation).mapValues(\.count)
        #expect(styles[.cumulative] == 63)
        #expect(styles[.discreteArithmetic] == 52)
        #expect(styles[.discreteTemporallyWeighted] == 2)
        #expect(styles[.discreteEquivalentContinuousLevel] == 3)
        #expect(Catalogue.values(of: Catalogue.workoutActivityType).count == 84)
        #expect(Catalogue.values(of: Catalogue.workoutEventType).count == 8)
        #expect(Catalogue.metadataKeys.count == 71)
        #expect(Catalogue.characteristics.count == 7)
    }

    @Test("codes, identifiers and names are each given once, codes below 20000")
    func unique() {
        let types = Catalogue.types
        #expect(Set(types.map(\.code)).count == types.count)
        #expect(Set(types.map(\.identifier)).count == types.count)
        #expect(Set(types.map(\.name)).count == types.count)
        #expect(types.allSatisfy { (1..<20_000).contains($0.code) })
        #expect(types.map(\.code) == types.map(\.code).sorted())
    }

    @Test(
        "type codes stored in files do not change",
        arguments: [
            (1, "appleSleepingWristTemperature"), (3, "bodyMass"), (9, "activeEnergyBurned"),
            (26, "distanceWalkingRunning"), (37, "stepCount"), (45, "heartRate"),
            (119, "bloodGlucose"),
            (120, "bodyTemperature"), (1001, "appleStandHour"), (1030, "sleepAnalysis"),
            (1069, "wheezing"), (2001, "bloodPressure"), (2003, "workout"),
            (2004, "activitySummary"),
            (2024, "coverageRecord"),
        ])
    func codes(code: Int32, name: String) {
        #expect(Catalogue.type(code: code)?.name == name)
    }

    @Test("every type is found by its identifier, its name and its code")
    func roundTrips() {
        for type in Catalogue.types {
            #expect(Catalogue.type(identifier: type.identifier)?.code == type.code)
            #expect(Catalogue.type(named: type.identifier)?.code == type.code)
            #expect(Catalogue.type(named: type.name)?.code == type.code)
            #expect(Catalogue.type(code: type.code)?.identifier == type.identifier)
        }
        #expect(Catalogue.type(named: "nothing") == nil)
        #expect(Catalogue.type(identifier: "stepCount") == nil)
        #expect(Catalogue.type(code: 20_000) == nil)
    }

    @Test("a deprecated name finds the replacing type")
    func alias() {
        let type = Catalogue.type(named: "audioExposureEvent")
        #expect(type?.name == "environmentalAudioExposureEvent")
        #expect(type?.identifier == "HKCategoryTypeIdentifierAudioExposureEvent")
    }

    @Test("display units are compatible with canonical units")
    func units() throws {
        for type in Catalogue.types {
            #expect((type.kind == .quantity) == (type.aggregation != nil), "\(type.name)")
            #expect((type.kind == .quantity) == (type.canonicalUnit != nil), "\(type.name)")
            #expect((type.kind == .quantity) == (type.displayUnit != nil), "\(type.name)")
            guard type.kind == .quantity else { continue }
            let canonical = try #require(type.canonicalUnit)
            let display = try #require(type.displayUnit)
            let unit = try HealthUnit(canonical)
            #expect(unit.description == canonical)
            #expect(try HealthUnit(display).description == display)
            #expect(unit.isCompatible(with: try HealthUnit(display)), "\(type.name)")
        }
    }

    @Test(
        "display units are the customary ones",
        arguments: [
            ("heartRate", "count/min"), ("respiratoryRate", "count/min"), ("height", "cm"),
            ("distanceWalkingRunning", "km"), ("walkingSpeed", "km/hr"), ("bodyMass", "kg"),
            ("bloodGlucose", "mg/dL"), ("activeEnergyBurned", "kcal"), ("bodyTemperature", "degC"),
            ("oxygenSaturation", "%"), ("dietaryProtein", "g"), ("dietarySodium", "mg"),
            ("dietaryVitaminB12", "mcg"), ("dietaryWater", "mL"), ("appleExerciseTime", "min"),
            ("vo2Max", "mL/min·kg"), ("physicalEffort", "kcal/hr·kg"), ("stepCount", "count"),
            ("heartRateVariabilitySDNN", "ms"), ("bloodPressureSystolic", "mmHg"),
            ("environmentalAudioExposure", "dBASPL"), ("insulinDelivery", "IU"),
        ])
    func displayUnits(name: String, unit: String) {
        #expect(Catalogue.type(named: name)?.displayUnit == unit)
    }

    @Test("required metadata keys and member types exist")
    func requirements() {
        let requiring = Catalogue.types.filter { !$0.requiredMetadata.isEmpty }
        #expect(Set(requiring.map(\.name)) == ["insulinDelivery", "menstrualFlow"])
        for key in requiring.flatMap(\.requiredMetadata) {
            #expect(Catalogue.metadataKey(key) != nil)
        }
        let pressure = Catalogue.type(named: "bloodPressure")?.requiredMembers
        #expect(pressure == ["bloodPressureSystolic", "bloodPressureDiastolic"])
        for member in Catalogue.types.flatMap(\.requiredMembers) {
            #expect(Catalogue.type(named: member) != nil)
        }
    }
}
