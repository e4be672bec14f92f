import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct HealthAutoExportJournalTests {
    private static let times =
        #""start":"2026-03-01 10:00:00 +0100","end":"2026-03-01 11:30:00 +0100""#
    private static let start = AppExport.utc(2026, 3, 1, 9)
    private static let end = AppExport.utc(2026, 3, 1, 10, 30)

    // MARK: - States of mind

    @Test("a state of mind is read with HealthKit's numbers")
    func stateOfMind() throws {
        let read = try AppExport.list(
            "stateOfMind",
            #"""
            {"id":"0F0F0F0F-1111-4222-8333-444444444444","start":"2026-03-01T09:00:00Z",
             "end":"2026-03-01T09:00:00Z","kind":"momentary_emotion","valence":0.75,
             "labels":["amazed","Satisfied"],"associations":["current_events","weather"],
             "valenceClassification":"very_pleasant","metadata":{"HKWasUserEntered":"true"}}
            """#)
        let sample = try #require(read.samples.first)
        #expect(read.counts == [1, 0, 0, 0])
        #expect(sample.type == "stateOfMind" && sample.identity == .content)
        #expect(sample.start == Self.start && sample.end == Self.start)
        #expect(
            sample.detail
                == .numbers([
                    "kind": [1], "valence": [0.75], "labels": [1, 38], "associations": [2, 18],
                ]))
        #expect(
            sample.metadata == [
                "healthautoexport.id": .string("0F0F0F0F-1111-4222-8333-444444444444"),
                "healthautoexport.valenceClassification": .string("very_pleasant"),
                "HKWasUserEntered": .number(1),
            ])
    }

    @Test("unknown words of a state of mind are kept as text")
    func unknownWordsOfStateOfMind() throws {
        let read = try AppExport.list(
            "stateOfMind",
            #"""
            {\#(Self.times),"kind":"Daily Mood","valence":-1,"labels":["happy","froh",3],
             "associations":"work","valenceClassification":1},
            {\#(Self.times),"kind":"weekly","valence":"0.5"}
            """#)
        #expect(
            read.samples.map(\.detail) == [
                .numbers(["kind": [2], "valence": [-1], "labels": [17], "associations": []]),
                .numbers(["valence": [0.5], "labels": [], "associations": []]),
            ])
        #expect(
            read.samples.map(\.metadata) == [
                [
                    "healthautoexport.labels": .string(#"["happy","froh",3]"#),
                    "healthautoexport.associations": .string("work"),
                    "healthautoexport.valenceClassification": .number(1),
                ],
                ["healthautoexport.kind": .string("weekly")],
            ])
        #expect(read.samples.map(\.end) == [Self.end, Self.end])
    }

    @Test("a state of mind without a valence from -1 to 1 is rejected")
    func invalidStateOfMind() throws {
        let read = try AppExport.list(
            "stateOfMind",
            #"""
            {"id":"S1",\#(Self.times),"valence":1.01},{\#(Self.times),"valence":"good"},
            {\#(Self.times)},{"valence":0}
            """#)
        #expect(read.rejections.map(\.reason) == [.range, .value, .value, .date])
        #expect(read.rejections.map(\.field) == ["valence", "valence", "valence", "start"])
        #expect(read.rejections.map(\.identifier) == ["S1", nil, nil, nil])
    }

    // MARK: - Symptoms

    @Test("symptoms are read by their English names and severities")
    func symptoms() throws {
        for (name, severity, type, value) in [
            ("Headache", "Severe", "headache", 4.0),
            ("Abdominal Cramps", "Mild", "abdominalCramps", 2),
            (
                "Rapid, Pounding, or Fluttering Heartbeat", "Not Present",
                "rapidPoundingOrFlutteringHeartbeat", 1
            ),
            ("Body and Muscle Ache", "Unspecified", "generalizedBodyAche", 0),
            ("Appetite Changes", "Increased", "appetiteChanges", 3),
            ("Mood Changes", "Present", "moodChanges", 0),
            ("Sleep Changes", "not_present", "sleepChanges", 1),
            ("Fever", "3", "fever", 3),
        ] {
            let read = try AppExport.list(
                "symptoms",
                #"""
                {\#(Self.times),"name":"\#(name)","severity":"\#(severity)","userEntered":true,
                 "source":"Health"}
                """#)
            let sample = try #require(read.samples.first)
            #expect(sample.type == type && sample.value == value)
            #expect(sample.start == Self.start && sample.end == Self.end)
            #expect(sample.source.name == "Health" && sample.identity == .content)
            #expect(sample.metadata == ["HKWasUserEntered": .number(1)])
        }
    }

    @Test("localized symptoms are kept, and invalid ones rejected")
    func otherSymptoms() throws {
        let read = try AppExport.list(
            "symptoms",
            #"""
            {\#(Self.times),"name":"Kopfschmerzen","severity":"Severe"},
            {\#(Self.times),"name":"Headache","severity":"stark"},
            {\#(Self.times),"name":"Headache","severity":9},{\#(Self.times),"severity":"Mild"},
            {\#(Self.times),"name":"Step Count","severity":"Mild"},{\#(Self.times),"name":"Acne"},
            {"name":"Acne","severity":"Mild"},
            {"start":"2026-03-01 10:00:00 +0100","name":"Acne","severity":"Mild",
             "userEntered":false}
            """#)
        #expect(
            read.unknown.map(\.name) == [
                "symptoms name", "symptoms severity", "symptoms severity", "symptoms name",
                "symptoms name",
            ])
        #expect(read.unknown.map(\.index) == [0, 1, 2, 3, 4])
        #expect(read.rejections.map(\.reason) == [.value, .date])
        #expect(read.rejections.map(\.field) == ["severity", "start"])
        #expect(read.samples.map(\.identity) == [.point])
        #expect(read.samples.map(\.value) == [2])
        #expect(read.samples.map(\.start) == [Self.start])
        #expect(read.samples.map(\.end) == [Self.start])
        #expect(read.samples.map(\.metadata) == [["HKWasUserEntered": .number(0)]])
    }

    // MARK: - Cycle tracking

    @Test("cycle tracking is read by English names and values")
    func cycleTracking() throws {
        let day = #""start":"2026-03-01 00:00:00 +0100""#
        let read = try AppExport.list(
            "cycleTracking",
            #"""
            {\#(day),"name":"Menstrual Flow","value":"Heavy","isCycleStart":true,"source":"Health"},
            {\#(day),"name":"Menstrual Flow","value":"None","isCycleStart":false},
            {\#(day),"name":"Ovulation Test Result","value":"Positive"},
            {\#(day),"name":"Cervical Mucus Quality","value":"Egg White"},
            {\#(day),"name":"Contraceptive","value":"Intrauterine Device"},
            {\#(day),"name":"Spotting"},{\#(day),"name":"Pregnancy","value":"Unspecified"},
            {\#(Self.times),"name":"Lactation"}
            """#)
        #expect(read.counts == [8, 0, 0, 0])
        #expect(
            read.samples.map(\.type) == [
                "menstrualFlow", "menstrualFlow", "ovulationTestResult", "cervicalMucusQuality",
                "contraceptive", "intermenstrualBleeding", "pregnancy", "lactation",
            ])
        #expect(read.samples.map(\.value) == [4, 5, 2, 5, 4, 0, 0, 0])
        #expect(
            read.samples.map(\.identity) == Array(repeating: IntakeIdentity.point, count: 7) + [
                .content
            ])
        #expect(
            read.samples.dropLast().allSatisfy {
                $0.start == AppExport.utc(2026, 2, 28, 23) && $0.end == $0.start
            })
        #expect(read.samples.last?.start == Self.start && read.samples.last?.end == Self.end)
        #expect(read.samples.first?.source.name == "Health")
        #expect(
            read.samples.map(\.metadata) == [
                ["HKMenstrualCycleStart": .number(1)], ["HKMenstrualCycleStart": .number(0)],
                [:], [:], [:], [:], ["healthautoexport.value": .string("Unspecified")], [:],
            ])
    }

    @Test("unknown entries of cycle tracking are kept, and invalid ones rejected")
    func otherCycleEntries() throws {
        let read = try AppExport.list(
            "cycleTracking",
            #"""
            {\#(Self.times),"name":"Mondphase","value":"Light"},{\#(Self.times),"value":"Light"},
            {\#(Self.times),"name":"Menstrual Flow","value":"stark"},
            {\#(Self.times),"name":"Menstrual Flow"},{"name":"Menstrual Flow","value":"Light"},
            {"start":"2026-03-01","end":"2026-02-28","name":"Menstrual Flow","value":"Light"}
            """#)
        #expect(
            read.unknown.map(\.name) == [
                "cycleTracking name", "cycleTracking name", "cycleTracking value",
            ])
        #expect(read.rejections.map(\.reason) == [.value, .date, .endBeforeStart])
        #expect(read.rejections.map(\.field) == ["value", "start", "end"])
    }

    // MARK: - Medications

    private static let aspirin = #"""
        "displayText":"Aspirin 100 mg","codings":[{"code":"1191","system":"RxNorm"}],
        "scheduledDate":"2026-03-01 09:45:00 +0100"
        """#

    @Test("a dose is read with its medication, status and plan")
    func medication() throws {
        let read = try AppExport.list(
            "medications",
            #"""
            {\#(Self.times),\#(Self.aspirin),"nickname":"A","form":"tablet","status":"Taken",
             "isArchived":false,"dosage":1.5}
            """#)
        let sample = try #require(read.samples.first)
        #expect(read.counts == [1, 0, 0, 0])
        #expect(sample.type == "medicationDoseEvent")
        #expect(sample.start == Self.start && sample.end == Self.end)
        var aspirin = Medication(
            displayText: "Aspirin 100 mg", generalForm: "tablet",
            codings: [MedicationCoding(system: MedicationCoding.rxNorm, code: "1191")],
            nickname: "A")
        (aspirin.isArchived, aspirin.hasSchedule) = (false, true)
        #expect(read.medications == [aspirin])
        #expect(
            sample.detail
                == .medicationDose(
                    MedicationDose(
                        medication: aspirin.identifier, scheduleType: 2, status: 4, amount: 1.5,
                        scheduled: AppExport.utc(2026, 3, 1, 8, 45))))
        #expect(
            sample.metadata == [
                "healthautoexport.displayText": .string("Aspirin 100 mg"),
                "healthautoexport.nickname": .string("A"),
                "healthautoexport.form": .string("tablet"),
                "healthautoexport.status": .string("Taken"),
                "healthautoexport.isArchived": .number(0),
                "healthautoexport.codings": .string(#"[{"code":"1191","system":"RxNorm"}]"#),
                "healthautoexport.scheduledDate": .date(AppExport.utc(2026, 3, 1, 8, 45)),
            ])
    }

    @Test("every status is read, and a localized one is kept as text")
    func statuses() throws {
        for (word, number) in [
            ("Taken", 4), ("Skipped", 5), ("Not Interacted", 1), ("Notification Not Sent", 2),
            ("Snoozed", 3), ("Not Logged", 6),
        ] {
            let read = try AppExport.list("medications", #"{\#(Self.times),"status":"\#(word)"}"#)
            #expect(read.statuses == [number])
            #expect(read.medications.isEmpty)
        }
        for word in ["Unspecified", "Genommen"] {
            let read = try AppExport.list("medications", #"{\#(Self.times),"status":"\#(word)"}"#)
            #expect(read.statuses == [nil])
            #expect(read.samples.map(\.metadata) == [["healthautoexport.status": .string(word)]])
        }
    }

    @Test("doses of different medications or plans differ, and a logged dose replaces its reminder")
    func identities() throws {
        let read = try AppExport.list(
            "medications",
            #"""
            {\#(Self.times),\#(Self.aspirin),"status":"Not Logged"},
            {"start":"2026-03-01 10:20:00 +0100",\#(Self.aspirin),"status":"Taken"},
            {\#(Self.times),"displayText":"Vitamin"},{\#(Self.times),"displayText":"Iron"},
            {"start":"2026-03-01 10:00:01 +0100","displayText":"Iron"}
            """#)
        let identities = read.samples.map(\.identity)
        #expect(identities.count == 5 && Set(identities).count == 4)
        #expect(identities[0] == identities[1])
        for case .healthKit(let uuid) in identities {
            // The version is 8, and the variant that of RFC 9562.
            let text = Array("\(uuid)")
            #expect(text[14] == "8" && "89AB".contains(text[19]))
        }
        #expect(read.samples[1].end == AppExport.utc(2026, 3, 1, 9, 20))
    }

    @Test("of several statements in a page the last one counts, with a schedule of any of them")
    func repeatedMedications() throws {
        let read = try AppExport.list(
            "medications",
            #"""
            {\#(Self.times),\#(Self.aspirin),"isArchived":false},
            {\#(Self.times),"displayText":"Iron","form":"Tropfen","codings":[{"code":"1"},7]},
            {\#(Self.times),"displayText":"aspirin 100 mg","form":"Tablet","isArchived":true}
            """#)
        #expect(read.medications.map(\.displayText) == ["aspirin 100 mg", "Iron"])
        #expect(read.medications.map(\.isArchived) == [true, nil])
        #expect(read.medications.map(\.hasSchedule) == [true, false])
        #expect(read.medications.map(\.generalForm) == ["tablet", "unknown"])
        #expect(read.medications.map(\.codings) == [[], []])
    }

    @Test("doses with invalid times are rejected")
    func invalidMedications() throws {
        let read = try AppExport.list(
            "medications",
            #"""
            {"displayText":"Iron"},{\#(Self.times),"scheduledDate":"noon"},
            {"start":"2026-03-01 10:00:00 +0100","end":"2026-03-01 09:00:00 +0100"}
            """#)
        #expect(read.rejections.map(\.reason) == [.date, .date, .endBeforeStart])
        #expect(read.rejections.map(\.field) == ["start", "scheduledDate", "end"])
    }
}

extension CollectedIntake {
    /// The statuses of the doses.
    fileprivate var statuses: [Int?] {
        samples.map { sample in
            guard case .medicationDose(let dose) = sample.detail else { return -1 }
            return dose.status
        }
    }
}
