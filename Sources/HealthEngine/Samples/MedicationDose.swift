/// The data of a medication dose. Its times and source are in its ``Sample``.
public struct MedicationDose: Hashable, Sendable, Codable {
    /// The identifier of the medication, ``Medication/identifier``. The medication itself may not be
    /// stored.
    public var medication: String
    /// `HKMedicationDoseEvent.ScheduleType`'s raw value: 1 as needed, 2 by a schedule.
    public var scheduleType: Int
    /// `HKMedicationDoseEvent.LogStatus`'s raw value; nil for a word of a sender that is not known.
    public var status: Int?
    /// The unit of the amounts: "count", "mg".
    public var unit: String
    /// The amount taken; nil if not recorded.
    public var amount: Double?
    /// The amount that was scheduled; nil if not recorded.
    public var scheduledAmount: Double?
    /// The time that the dose was scheduled for, in reference seconds; nil if there is none.
    public var scheduled: Double?

    public init(
        medication: String, scheduleType: Int = MedicationDose.asNeeded, status: Int?,
        unit: String = "count", amount: Double? = nil, scheduledAmount: Double? = nil,
        scheduled: Double? = nil
    ) {
        self.medication = medication
        self.scheduleType = scheduleType
        self.status = status
        self.unit = unit
        self.amount = amount
        self.scheduledAmount = scheduledAmount
        self.scheduled = scheduled
    }

    /// The raw value of a dose without a schedule.
    public static let asNeeded = 1
    /// The raw value of a dose with a schedule.
    public static let bySchedule = 2

    /// HealthKit's names of statuses in the order of their raw values from 1.
    private static let statusNames = [
        "notInteracted", "notificationNotSent", "snoozed", "taken", "skipped", "notLogged",
    ]

    /// HealthKit's name of the status; nil for an unknown one.
    package var statusName: String? {
        status.flatMap {
            (1...Self.statusNames.count).contains($0) ? Self.statusNames[$0 - 1] : nil
        }
    }

    /// Returns the raw value of a status.
    ///
    /// - Parameter name: HealthKit's name, with any case, spaces and punctuation: "Not Logged".
    /// - Returns: The raw value, or nil for other words, such as localized ones.
    package static func status(named name: String) -> Int? {
        let word = name.lowercased().filter { $0.isLetter || $0.isNumber }
        return statusNames.firstIndex { $0.lowercased() == word }.map { $0 + 1 }
    }
}

extension MedicationDose {
    /// Creates a dose from the numbers and metadata under which versions before 7 of the schema
    /// stored doses of Health Auto Export.
    ///
    /// - Parameters:
    ///   - numbers: The numbers by name; empty if nothing was sent.
    ///   - metadata: Returns the metadata value for a key.
    package init(numbers: [String: [Double]], metadata: (String) -> MetadataValue?) {
        func text(_ name: String) -> String? {
            guard case .string(let text) = metadata("healthautoexport.\(name)") else { return nil }
            return text
        }
        var scheduled: Double?
        if case .date(let time) = metadata("healthautoexport.scheduledDate") { scheduled = time }
        let status = numbers["logStatus"]?.first.flatMap { Int(exactly: $0) }
        self.init(
            medication: Medication.identifier(displayText: text("displayText") ?? ""),
            scheduleType: scheduled == nil ? Self.asNeeded : Self.bySchedule, status: status,
            amount: numbers["dosage"]?.first, scheduled: scheduled)
    }

    /// Creates a dose from what is stored of a sample; nil if the detail is of another kind.
    ///
    /// - Parameters:
    ///   - detail: The detail of the sample.
    ///   - metadata: Returns the metadata value for a key.
    package init?(_ detail: SampleDetail?, metadata: (String) -> MetadataValue?) {
        switch detail {
        case .medicationDose(let dose): self = dose
        case .numbers(let numbers): self.init(numbers: numbers, metadata: metadata)
        case nil: self.init(numbers: [:], metadata: metadata)
        default: return nil
        }
    }
}
