/// The elements of an export, one function for each.
extension ExportGrammar {
    func me(_ chance: inout Chance) -> ExportElement {
        let prefix = "HKCharacteristicTypeIdentifier"
        let birth = hostile(&chance) ? chance.pick(Hostile.days) : "1990-07-12"
        return ExportElement(
            "Me",
            [
                (prefix + "DateOfBirth", birth),
                (prefix + "BiologicalSex", "HKBiologicalSexFemale"),
                (prefix + "BloodType", "HKBloodTypeOPositive"),
                (prefix + "FitzpatrickSkinType", "HKFitzpatrickSkinTypeIII"),
            ])
    }

    func quantity(_ chance: inout Chance) -> ExportElement {
        let kind = catalogue.quantity(&chance)
        let identifier =
            hostile(&chance)
            ? chance.pick([
                "HKQuantityTypeIdentifierNew", "", "stepCount", "HKDataTypeSleepDurationGoal",
            ])
            : kind.identifier
        let unit = hostile(&chance) ? chance.pick(Hostile.units) : kind.unit
        return ExportElement(
            "Record",
            [("type", identifier), ("unit", unit)] + identity(&chance)
                + [("value", number(0...300, &chance))], entries(&chance))
    }

    func category(_ chance: inout Chance) -> ExportElement {
        var (_, identifier, values) = chance.pick(
            catalogue.categories, or: ("", "HKCategoryTypeIdentifierSleepAnalysis", []))
        if chance.percent(40),
            let sleep = catalogue.categories.first(where: { $0.name == "sleepAnalysis" })
        {
            (_, identifier, values) = sleep
        }
        var value = chance.pick(values)
        if hostile(&chance) { value = chance.pick(Hostile.numbers + ["HKCategoryValueNew"]) }
        return ExportElement(
            "Record",
            [("type", identifier)] + identity(&chance, longest: 30_000) + [("value", value)],
            entries(&chance))
    }

    func correlation(_ chance: inout Chance) -> ExportElement {
        let identity = identity(&chance, longest: 1)
        let isFood = chance.percent(30)
        let prefix = "HKQuantityTypeIdentifier"
        let members =
            isFood
            ? [("DietaryEnergyConsumed", "kcal"), ("DietaryProtein", "g")]
            : [("BloodPressureSystolic", "mmHg"), ("BloodPressureDiastolic", "mmHg")]
        var children = members.map { name, unit in
            ExportElement(
                "Record",
                [("type", prefix + name), ("unit", unit)] + identity
                    + [("value", number(50...160, &chance))])
        }
        if isMisnested, chance.percent(10) { children.append(correlation(&chance)) }
        if hostile(&chance) { children = [] }
        let type = "HKCorrelationTypeIdentifier" + (isFood ? "Food" : "BloodPressure")
        return ExportElement(
            "Correlation", [("type", type)] + identity, entries(&chance) + children)
    }

    func rings(_ chance: inout Chance) -> ExportElement {
        let seconds = Double((day + chance.below(30)) * 86_400 + 43_200)
        var components = String(ExportGrammar.date(seconds, offset: 0).prefix(10))
        if hostile(&chance) { components = chance.pick(Hostile.days) }
        return ExportElement(
            "ActivitySummary",
            [
                ("dateComponents", components),
                ("activeEnergyBurned", number(0...800, &chance)),
                ("activeEnergyBurnedGoal", number(300...600, &chance)),
                ("activeEnergyBurnedUnit", chance.pick(["kcal", "Cal", "kJ"])),
                ("appleMoveTime", number(0...90, &chance)),
                ("appleMoveTimeGoal", "0"), ("appleExerciseTime", number(0...90, &chance)),
                ("appleExerciseTimeGoal", "30"), ("appleStandHours", number(0...24, &chance)),
                ("appleStandHoursGoal", "12"),
            ])
    }

    func heartbeats(_ chance: inout Chance) -> ExportElement {
        let times = [
            "6:14:48.94 PM", "08:33:44,67", "6:14:48.94\u{202F}PM", "23:59:59,99", "00:00:00,00",
        ]
        let beats = (0..<chance.below(12)).map { _ in
            let time = hostile(&chance) ? chance.pick(Hostile.texts) : chance.pick(times)
            return ExportElement(
                "InstantaneousBeatsPerMinute",
                [("bpm", number(45...150, &chance)), ("time", time)])
        }
        let list = ExportElement("HeartRateVariabilityMetadataList", [], beats)
        return ExportElement(
            "Record",
            [("type", "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"), ("unit", "ms")]
                + identity(&chance, longest: 60) + [("value", number(20...90, &chance))], [list])
    }

    func audiogram(_ chance: inout Chance) -> ExportElement {
        let points = (0..<chance.below(6)).map { _ in
            ExportElement(
                "SensitivityPoint",
                [
                    ("frequencyValue", number(125...8000, &chance)), ("frequencyUnit", "Hz"),
                    ("leftEarValue", number(0...80, &chance)), ("leftEarUnit", "dBHL"),
                    ("rightEarMasked", "true"),
                ])
        }
        return ExportElement(
            "Audiogram", [("type", "HKDataTypeIdentifierAudiogram")] + identity(&chance), points)
    }

    func prescription(_ chance: inout Chance) -> ExportElement {
        let eye = ("sphere", number(0...4, &chance))
        return ExportElement(
            "VisionPrescription",
            [
                ("type", "HKVisionPrescriptionTypeGlasses"),
                ("dateIssued", date(Double(day) * 86_400, &chance)), ("brand", "b"),
            ],
            [
                ExportElement("RightEye", [eye, ("sphereUnit", "D")]),
                ExportElement("LeftEye", [eye]),
                ExportElement("Attachment", [("identifier", "a")]),
            ])
    }

    func clinicalRecord(_ chance: inout Chance) -> ExportElement {
        let path = chance.pick(["/clinical-records/DiagnosticReport-1.json", "../../x", ""])
        return ExportElement(
            "ClinicalRecord",
            [
                ("type", "DiagnosticReport"), ("identifier", "1"), ("sourceName", "Clinic"),
                ("sourceURL", "https://example.org/"), ("fhirVersion", "4.0.1"),
                ("receivedDate", date(Double(day) * 86_400, &chance)), ("resourceFilePath", path),
            ])
    }

    func unknown(_ chance: inout Chance) -> ExportElement {
        let names = ["StateOfMind", "MedicationDoseEvent", "Novelty", "A.b-c:d", "Данные"]
        return ExportElement(
            chance.pick(names),
            [("valence", number(0...1, &chance)), ("x", chance.pick(Hostile.texts))],
            chance.percent(30) ? [quantity(&chance)] : [])
    }
}
