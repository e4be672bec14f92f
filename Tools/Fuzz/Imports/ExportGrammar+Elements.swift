/// The elements of an export, one function for each.
extension ExportGrammar {
    func me(_ random: inout SeededRandom) -> ExportElement {
        let prefix = "HKCharacteristicTypeIdentifier"
        let birth = hostile(&random) ? random.pick(Hostile.days) : "1990-07-12"
        return ExportElement(
            "Me",
            [
                (prefix + "DateOfBirth", birth),
                (prefix + "BiologicalSex", "HKBiologicalSexFemale"),
                (prefix + "BloodType", "HKBloodTypeOPositive"),
                (prefix + "FitzpatrickSkinType", "HKFitzpatrickSkinTypeIII"),
            ])
    }

    func quantity(_ random: inout SeededRandom) -> ExportElement {
        let kind = catalogue.quantity(&random)
        let identifier =
            hostile(&random)
            ? random.pick([
                "HKQuantityTypeIdentifierNew", "", "stepCount", "HKDataTypeSleepDurationGoal",
            ])
            : kind.identifier
        let unit = hostile(&random) ? random.pick(Hostile.units) : kind.unit
        return ExportElement(
            "Record",
            [("type", identifier), ("unit", unit)] + identity(&random)
                + [("value", number(0...300, &random))], entries(&random))
    }

    func category(_ random: inout SeededRandom) -> ExportElement {
        var (_, identifier, values) = random.pick(
            catalogue.categories, or: ("", "HKCategoryTypeIdentifierSleepAnalysis", []))
        if random.percent(40),
            let sleep = catalogue.categories.first(where: { $0.name == "sleepAnalysis" })
        {
            (_, identifier, values) = sleep
        }
        var value = random.pick(values)
        if hostile(&random) { value = random.pick(Hostile.numbers + ["HKCategoryValueNew"]) }
        return ExportElement(
            "Record",
            [("type", identifier)] + identity(&random, longest: 30_000) + [("value", value)],
            entries(&random))
    }

    func correlation(_ random: inout SeededRandom) -> ExportElement {
        let identity = identity(&random, longest: 1)
        let isFood = random.percent(30)
        let prefix = "HKQuantityTypeIdentifier"
        let members =
            isFood
            ? [("DietaryEnergyConsumed", "kcal"), ("DietaryProtein", "g")]
            : [("BloodPressureSystolic", "mmHg"), ("BloodPressureDiastolic", "mmHg")]
        var children = members.map { name, unit in
            ExportElement(
                "Record",
                [("type", prefix + name), ("unit", unit)] + identity
                    + [("value", number(50...160, &random))])
        }
        if isMisnested, random.percent(10) { children.append(correlation(&random)) }
        if hostile(&random) { children = [] }
        let type = "HKCorrelationTypeIdentifier" + (isFood ? "Food" : "BloodPressure")
        return ExportElement(
            "Correlation", [("type", type)] + identity, entries(&random) + children)
    }

    func rings(_ random: inout SeededRandom) -> ExportElement {
        let seconds = Double((day + random.below(30)) * 86_400 + 43_200)
        var components = String(ExportGrammar.date(seconds, offset: 0).prefix(10))
        if hostile(&random) { components = random.pick(Hostile.days) }
        return ExportElement(
            "ActivitySummary",
            [
                ("dateComponents", components),
                ("activeEnergyBurned", number(0...800, &random)),
                ("activeEnergyBurnedGoal", number(300...600, &random)),
                ("activeEnergyBurnedUnit", random.pick(["kcal", "Cal", "kJ"])),
                ("appleMoveTime", number(0...90, &random)),
                ("appleMoveTimeGoal", "0"), ("appleExerciseTime", number(0...90, &random)),
                ("appleExerciseTimeGoal", "30"), ("appleStandHours", number(0...24, &random)),
                ("appleStandHoursGoal", "12"),
            ])
    }

    func heartbeats(_ random: inout SeededRandom) -> ExportElement {
        let times = [
            "6:14:48.94 PM", "08:33:44,67", "6:14:48.94\u{202F}PM", "23:59:59,99", "00:00:00,00",
        ]
        let beats = (0..<random.below(12)).map { _ in
            let time = hostile(&random) ? random.pick(Hostile.texts) : random.pick(times)
            return ExportElement(
                "InstantaneousBeatsPerMinute",
                [("bpm", number(45...150, &random)), ("time", time)])
        }
        let list = ExportElement("HeartRateVariabilityMetadataList", [], beats)
        return ExportElement(
            "Record",
            [("type", "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"), ("unit", "ms")]
                + identity(&random, longest: 60) + [("value", number(20...90, &random))], [list])
    }

    func audiogram(_ random: inout SeededRandom) -> ExportElement {
        let points = (0..<random.below(6)).map { _ in
            ExportElement(
                "SensitivityPoint",
                [
                    ("frequencyValue", number(125...8000, &random)), ("frequencyUnit", "Hz"),
                    ("leftEarValue", number(0...80, &random)), ("leftEarUnit", "dBHL"),
                    ("rightEarMasked", "true"),
                ])
        }
        return ExportElement(
            "Audiogram", [("type", "HKDataTypeIdentifierAudiogram")] + identity(&random), points)
    }

    func prescription(_ random: inout SeededRandom) -> ExportElement {
        let eye = ("sphere", number(0...4, &random))
        return ExportElement(
            "VisionPrescription",
            [
                ("type", "HKVisionPrescriptionTypeGlasses"),
                ("dateIssued", date(Double(day) * 86_400, &random)), ("brand", "b"),
            ],
            [
                ExportElement("RightEye", [eye, ("sphereUnit", "D")]),
                ExportElement("LeftEye", [eye]),
                ExportElement("Attachment", [("identifier", "a")]),
            ])
    }

    func clinicalRecord(_ random: inout SeededRandom) -> ExportElement {
        let path = random.pick(["/clinical-records/DiagnosticReport-1.json", "../../x", ""])
        return ExportElement(
            "ClinicalRecord",
            [
                ("type", "DiagnosticReport"), ("identifier", "1"), ("sourceName", "Clinic"),
                ("sourceURL", "https://example.org/"), ("fhirVersion", "4.0.1"),
                ("receivedDate", date(Double(day) * 86_400, &random)), ("resourceFilePath", path),
            ])
    }

    func unknown(_ random: inout SeededRandom) -> ExportElement {
        let names = ["StateOfMind", "MedicationDoseEvent", "Novelty", "A.b-c:d", "Данные"]
        return ExportElement(
            random.pick(names),
            [("valence", number(0...1, &random)), ("x", random.pick(Hostile.texts))],
            random.percent(30) ? [quantity(&random)] : [])
    }
}
