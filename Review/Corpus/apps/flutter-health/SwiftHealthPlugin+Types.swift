import HealthKit

extension SwiftHealthPlugin {

    func initializeTypes() {
        guard dataTypesDict.isEmpty else { return }

        unitDict["GRAM"] = HKUnit.gram()
        unitDict["KILOGRAM"] = HKUnit.gramUnit(with: .kilo)
        unitDict["METER"] = HKUnit.meter()
        unitDict["BEATS_PER_MINUTE"] = HKUnit.init(from: "count/min")
        unitDict["MILLIGRAM_PER_DECILITER"] = HKUnit.init(from: "mg/dL")
        unitDict["MILLIMOLES_PER_LITER"] = HKUnit.moleUnit(
            with: .milli, molarMass: HKUnitMolarMassBloodGlucose).unitDivided(by: HKUnit.liter())
        unitDict["MILLISECOND"] = HKUnit.secondUnit(with: .milli)
        unitDict["DEGREE_CELSIUS"] = HKUnit.degreeCelsius()
        unitDict["KILOCALORIE"] = HKUnit.kilocalorie()
        unitDict["VO2"] = HKUnit.init(from: "mL/kg*min")
        unitDict["METER_PER_SECOND"] = HKUnit.init(from: "m/s")
        unitDict["INTERNATIONAL_UNIT"] = HKUnit.internationalUnit()
        unitDict["DECIBEL_HEARING_LEVEL"] = HKUnit.decibelHearingLevel()
        unitDict["SIEMENS"] = HKUnit.siemen()
        unitDict["PERCENT"] = HKUnit.percent()
        unitDict["COUNT"] = HKUnit.count()
        unitDict["MINUTE"] = HKUnit.init(from: "min")

        dataTypesDict["ACTIVE_ENERGY_BURNED"] = HKSampleType.quantityType(forIdentifier: .activeEnergyBurned)!
        dataTypesDict["BASAL_ENERGY_BURNED"] = HKSampleType.quantityType(forIdentifier: .basalEnergyBurned)!
        dataTypesDict["BLOOD_GLUCOSE"] = HKSampleType.quantityType(forIdentifier: .bloodGlucose)!
        dataTypesDict["BLOOD_OXYGEN"] = HKSampleType.quantityType(forIdentifier: .oxygenSaturation)!
        dataTypesDict["HEART_RATE"] = HKSampleType.quantityType(forIdentifier: .heartRate)!
        dataTypesDict["WEIGHT"] = HKSampleType.quantityType(forIdentifier: .bodyMass)!
        dataTypesDict["STEPS"] = HKSampleType.quantityType(forIdentifier: .stepCount)!
        dataTypesDict["SLEEP_IN_BED"] = HKSampleType.categoryType(forIdentifier: .sleepAnalysis)!
        dataTypesDict["SLEEP_ASLEEP"] = HKSampleType.categoryType(forIdentifier: .sleepAnalysis)!
        dataTypesDict["WATER"] = HKSampleType.quantityType(forIdentifier: .dietaryWater)!
        dataTypesDict["WORKOUT"] = HKSampleType.workoutType()

        if #available(iOS 12.2, *) {
            dataTypesDict["HIGH_HEART_RATE_EVENT"] = HKSampleType.categoryType(forIdentifier: .highHeartRateEvent)!
            dataTypesDict["LOW_HEART_RATE_EVENT"] = HKSampleType.categoryType(forIdentifier: .lowHeartRateEvent)!
            heartRateEventTypes = Set([
                HKSampleType.categoryType(forIdentifier: .highHeartRateEvent),
                HKSampleType.categoryType(forIdentifier: .lowHeartRateEvent),
            ].compactMap { $0 })
        }
        healthDataTypes = Array(dataTypesDict.values)
    }
}
