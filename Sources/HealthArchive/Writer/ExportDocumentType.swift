/// The XML declaration and document type of an export: the elements and attributes that iOS 18 and
/// later write.
///
/// Written from the documented structure (ExportFormat §2). It also declares elements that Apple's
/// files contain but don't declare, so that a complete export without unknown elements validates. A
/// partial export has no `ExportDate` and does not validate.
enum ExportDocumentType {
    /// The attribute declarations for a sample's source and times.
    private static let provenance = """
          sourceName    CDATA #REQUIRED
          sourceVersion CDATA #IMPLIED
          device        CDATA #IMPLIED
          creationDate  CDATA #IMPLIED
          startDate     CDATA #REQUIRED
          endDate       CDATA #REQUIRED
        """

    static let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram|VisionPrescription)*)>
        <!ATTLIST HealthData locale CDATA #REQUIRED>
        <!ELEMENT ExportDate EMPTY>
        <!ATTLIST ExportDate value CDATA #REQUIRED>
        <!ELEMENT Me EMPTY>
        <!ATTLIST Me
        \(characteristics.map { "  \($0.name) CDATA #REQUIRED" }.joined(separator: "\n"))
        >
        <!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
        <!ATTLIST Record
          type          CDATA #REQUIRED
          unit          CDATA #IMPLIED
          value         CDATA #IMPLIED
        \(provenance)
        >
        <!ELEMENT Correlation ((MetadataEntry|Record)*)>
        <!ATTLIST Correlation
          type          CDATA #REQUIRED
        \(provenance)
        >
        <!ELEMENT Workout ((MetadataEntry|WorkoutEvent|WorkoutActivity|WorkoutStatistics|WorkoutRoute|WorkoutZoneGroup|Record)*)>
        <!ATTLIST Workout
          workoutActivityType   CDATA #REQUIRED
          duration              CDATA #IMPLIED
          durationUnit          CDATA #IMPLIED
          totalDistance         CDATA #IMPLIED
          totalDistanceUnit     CDATA #IMPLIED
          totalEnergyBurned     CDATA #IMPLIED
          totalEnergyBurnedUnit CDATA #IMPLIED
        \(provenance)
        >
        \(workoutParts)
        <!ELEMENT ActivitySummary EMPTY>
        <!ATTLIST ActivitySummary
          dateComponents         CDATA #IMPLIED
          activeEnergyBurned     CDATA #IMPLIED
          activeEnergyBurnedGoal CDATA #IMPLIED
          activeEnergyBurnedUnit CDATA #IMPLIED
          appleMoveTime          CDATA #IMPLIED
          appleMoveTimeGoal      CDATA #IMPLIED
          appleExerciseTime      CDATA #IMPLIED
          appleExerciseTimeGoal  CDATA #IMPLIED
          appleStandHours        CDATA #IMPLIED
          appleStandHoursGoal    CDATA #IMPLIED
        >
        <!ELEMENT MetadataEntry EMPTY>
        <!ATTLIST MetadataEntry key CDATA #REQUIRED value CDATA #REQUIRED>
        <!ELEMENT HeartRateVariabilityMetadataList (InstantaneousBeatsPerMinute*)>
        <!ELEMENT InstantaneousBeatsPerMinute EMPTY>
        <!ATTLIST InstantaneousBeatsPerMinute bpm CDATA #REQUIRED time CDATA #REQUIRED>
        \(documents)
        ]>

        """

    /// The attributes of `Me` in order, each with the value for an unknown characteristic.
    static let characteristics: [(name: String, notSet: String)] = [
        ("HKCharacteristicTypeIdentifierDateOfBirth", ""),
        ("HKCharacteristicTypeIdentifierBiologicalSex", "HKBiologicalSexNotSet"),
        ("HKCharacteristicTypeIdentifierBloodType", "HKBloodTypeNotSet"),
        ("HKCharacteristicTypeIdentifierFitzpatrickSkinType", "HKFitzpatrickSkinTypeNotSet"),
        ("HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse", "None"),
    ]

    private static let workoutParts = """
        <!ELEMENT WorkoutEvent (MetadataEntry*)>
        <!ATTLIST WorkoutEvent
          type         CDATA #REQUIRED
          date         CDATA #REQUIRED
          duration     CDATA #IMPLIED
          durationUnit CDATA #IMPLIED
        >
        <!ELEMENT WorkoutActivity ((WorkoutEvent|WorkoutStatistics|MetadataEntry)*)>
        <!ATTLIST WorkoutActivity
          uuid         CDATA #REQUIRED
          startDate    CDATA #IMPLIED
          endDate      CDATA #IMPLIED
          duration     CDATA #IMPLIED
          durationUnit CDATA #IMPLIED
        >
        <!ELEMENT WorkoutStatistics EMPTY>
        <!ATTLIST WorkoutStatistics
          type      CDATA #REQUIRED
          startDate CDATA #IMPLIED
          endDate   CDATA #IMPLIED
          average   CDATA #IMPLIED
          minimum   CDATA #IMPLIED
          maximum   CDATA #IMPLIED
          sum       CDATA #IMPLIED
          unit      CDATA #IMPLIED
        >
        <!ELEMENT WorkoutRoute ((MetadataEntry|FileReference|Location)*)>
        <!ATTLIST WorkoutRoute
        \(provenance)
        >
        <!ELEMENT FileReference EMPTY>
        <!ATTLIST FileReference path CDATA #REQUIRED>
        <!ELEMENT Location EMPTY>
        <!ATTLIST Location
          date               CDATA #REQUIRED
          latitude           CDATA #REQUIRED
          longitude          CDATA #REQUIRED
          altitude           CDATA #REQUIRED
          horizontalAccuracy CDATA #REQUIRED
          verticalAccuracy   CDATA #REQUIRED
          course             CDATA #REQUIRED
          speed              CDATA #REQUIRED
        >
        <!ELEMENT WorkoutZoneGroup (WorkoutZone*)>
        <!ATTLIST WorkoutZoneGroup
          type   CDATA #REQUIRED
          source CDATA #IMPLIED
          unit   CDATA #IMPLIED
        >
        <!ELEMENT WorkoutZone EMPTY>
        <!ATTLIST WorkoutZone
          minimum      CDATA #IMPLIED
          maximum      CDATA #IMPLIED
          duration     CDATA #IMPLIED
          durationUnit CDATA #IMPLIED
        >
        """

    private static let documents = """
        <!ELEMENT ClinicalRecord EMPTY>
        <!ATTLIST ClinicalRecord
          type             CDATA #REQUIRED
          identifier       CDATA #REQUIRED
          sourceName       CDATA #REQUIRED
          sourceURL        CDATA #REQUIRED
          fhirVersion      CDATA #REQUIRED
          receivedDate     CDATA #REQUIRED
          resourceFilePath CDATA #REQUIRED
        >
        <!ELEMENT Audiogram ((MetadataEntry|SensitivityPoint)*)>
        <!ATTLIST Audiogram
          type          CDATA #REQUIRED
        \(provenance)
        >
        <!ELEMENT SensitivityPoint EMPTY>
        <!ATTLIST SensitivityPoint
          frequencyValue                  CDATA #REQUIRED
          frequencyUnit                   CDATA #REQUIRED
          leftEarValue                    CDATA #IMPLIED
          leftEarUnit                     CDATA #IMPLIED
          rightEarValue                   CDATA #IMPLIED
          rightEarUnit                    CDATA #IMPLIED
          leftEarMasked                   CDATA #IMPLIED
          rightEarMasked                  CDATA #IMPLIED
          leftEarClampingRangeLowerBound  CDATA #IMPLIED
          leftEarClampingRangeUpperBound  CDATA #IMPLIED
          rightEarClampingRangeLowerBound CDATA #IMPLIED
          rightEarClampingRangeUpperBound CDATA #IMPLIED
        >
        <!ELEMENT VisionPrescription ((RightEye|LeftEye|Attachment|MetadataEntry)*)>
        <!ATTLIST VisionPrescription
          type           CDATA #REQUIRED
          dateIssued     CDATA #REQUIRED
          expirationDate CDATA #IMPLIED
          brand          CDATA #IMPLIED
        >
        \(eye("RightEye"))
        \(eye("LeftEye"))
        <!ELEMENT Attachment EMPTY>
        <!ATTLIST Attachment identifier CDATA #IMPLIED>
        """

    private static func eye(_ name: String) -> String {
        let measures = [
            "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD",
            "nearPD", "baseCurve", "diameter",
        ]
        let attributes = measures.flatMap {
            ["  \($0) CDATA #IMPLIED", "  \($0)Unit CDATA #IMPLIED"]
        }
        return "<!ELEMENT \(name) EMPTY>\n<!ATTLIST \(name)\n"
            + attributes.joined(separator: "\n") + "\n>"
    }
}
