// The words of exports for HealthKit's classifications and symptoms.
extension ElectrocardiogramHeading {
    /// The raw value of `HKElectrocardiogram.Classification`: 0 without a classification, and 100
    /// (not recognized) for words that are not known.
    package var classificationValue: Int {
        guard let classification else { return 0 }
        if let value = Self.classifications[Self.folded(classification)] { return value }
        return Self.isCombinedFibrillation(classification) ? 2 : 100
    }

    /// Whether there is a classification whose words give no value.
    package var hasUnknownClassification: Bool {
        classificationValue == 100 && unknownClassification != nil
    }

    /// The classification if its words, or a part of them, are not known; nil otherwise.
    package var unknownClassification: String? {
        guard let classification,
            Self.classifications[Self.folded(classification)] == nil
        else { return nil }
        return classification
    }

    /// Whether the words are those of atrial fibrillation, a dash between spaces, and a remark, like
    /// "Atrial Fibrillation - High Heart Rate".
    private static func isCombinedFibrillation(_ text: String) -> Bool {
        let parts = text.split { $0.isWhitespace }
        guard let dash = parts.firstIndex(where: { ["-", "\u{2013}", "\u{2014}"].contains($0) }),
            dash + 1 < parts.count
        else { return false }
        return classifications[folded(parts[..<dash].joined(separator: " "))] == 2
    }

    /// The raw value of `HKElectrocardiogram.SymptomsStatus`: 0 (not set) for an empty line, 1
    /// (none) for a word that means none in a known language, and 2 (present) otherwise.
    package var symptomsValue: Int {
        guard let symptoms else { return 0 }
        return Self.none.contains(Self.folded(symptoms)) ? 1 : 2
    }

    /// Words in lower case, with a single space for white space and dashes.
    private static func folded(_ text: String) -> String {
        text.lowercased().split { !($0.isLetter || $0.isNumber) }.joined(separator: " ")
    }

    /// English, German, Japanese and Chinese words were observed in exports (ExportFormat §4.2). The
    /// others are the medical terms, which name one rhythm only. High heart rate with atrial
    /// fibrillation, of later versions, has no value of its own.
    private static let classifications: [String: Int] = [
        "sinus rhythm": 1, "sinusrhythmus": 1, "rythme sinusal": 1, "ritmo sinusal": 1,
        "ritmo sinusale": 1, "sinusritme": 1, "sinusrytm": 1, "sinusrytme": 1, "洞調律": 1,
        "窦性心律": 1, "竇性心律": 1, "동리듬": 1,
        "atrial fibrillation": 2, "atrial fibrillation high heart rate": 2, "vorhofflimmern": 2,
        "fibrillation auriculaire": 2, "fibrillation atriale": 2, "fibrilación auricular": 2,
        "fibrilação atrial": 2, "fibrilação auricular": 2, "fibrillazione atriale": 2,
        "atriumfibrilleren": 2, "boezemfibrilleren": 2, "förmaksflimmer": 2, "心房細動": 2,
        "心房颤动": 2, "心房顫動": 2, "심방세동": 2,
        "heart rate under 50": 3, "low heart rate": 3, "inconclusive low heart rate": 3,
        "heart rate over 120": 4, "heart rate over 150": 4, "high heart rate": 4,
        "inconclusive high heart rate": 4, "inconclusive heart rate over 120": 4,
        "inconclusive heart rate over 150": 4,
        "poor recording": 5, "inconclusive poor recording": 5, "inconclusive poor reading": 5,
        "inconclusive": 6, "uneindeutig": 6,
        "unrecognized": 100,
    ]

    private static let none: Set = [
        "none", "keine", "ohne", "aucun", "aucune", "ninguno", "nessuno", "nenhum", "geen", "なし",
        "无", "無", "없음",
    ]
}
