extension [String: [Double]] {
    /// Returns the name of numbers that no sample of a type can have, such as a valence of 55; nil
    /// if there are none. Missing numbers are possible.
    ///
    /// The same rules hold for apps that save samples (Semantics §10.5g).
    ///
    /// - Parameter type: The name of the type in the catalogue.
    package func impossibleName(ofType type: String) -> String? {
        switch type {
        case "stateOfMind":
            if self[.valence].contains(where: { !(-1...1).contains($0) }) {
                return RecordedNumber.valence.rawValue
            }
            return self[.kind].allSatisfy { $0 == 1 || $0 == 2 }
                ? nil : RecordedNumber.kind.rawValue
        case "GAD7": return impossibleAnswers(count: 7, 0...3)
        case "PHQ9": return impossibleAnswers(count: 9, 0...4)
        case "electrocardiogram": return impossibleMeasurement
        default: return nil
        }
    }

    private func impossibleAnswers(count: Int, _ range: ClosedRange<Int>) -> String? {
        let name = RecordedNumber.answers
        guard let answers = self[name.rawValue] else { return nil }
        let isPossible =
            answers.count == count && integers(name).count == count
            && integers(name).allSatisfy(range.contains)
        return isPossible ? nil : name.rawValue
    }

    private var impossibleMeasurement: String? {
        typealias Key = ElectrocardiogramRecording.Key
        if let rate = self[Key.samplingFrequency]?.first, !(rate > 0 && rate.isFinite) {
            return Key.samplingFrequency
        }
        let voltages = (self[Key.voltages] ?? self[Key.microvolts] ?? []).count
        return [Key.times, Key.offsets].first { name in
            self[name].map { $0.count != voltages } ?? false
        }
    }
}
