import HealthDashboard
import HealthEngine

/// The content of an audiogram or a prescription, for lists of samples.
struct MeasurementText {
    let detail: SampleDetail
    /// A short text, such as "L 15 R 20 dBHL" for the averages of an audiogram, or "glasses R -2.25
    /// L -1.75 D".
    let sentence: String

    /// Returns nil for other samples.
    init?(_ detail: SampleDetail?, of type: SampleType) {
        if let audiogram = detail?.audiogram(ofType: type.name) {
            self.detail = .audiogram(audiogram)
            sentence = MeasurementText.sentence(of: audiogram)
        } else if case .visionPrescription(let prescription) = detail {
            self.detail = .visionPrescription(prescription)
            sentence = MeasurementText.sentence(of: prescription)
        } else {
            return nil
        }
    }

    /// The average of each ear over all frequencies.
    private static func sentence(of audiogram: Audiogram) -> String {
        let tests = audiogram.points.flatMap(\.tests)
        let ears = [("L", Audiogram.Test.left), ("R", Audiogram.Test.right)].compactMap {
            name, side -> String? in
            let levels = tests.filter { $0.side == side }
                .compactMap { $0.sensitivity.value(in: "dBHL") }
            if levels.isEmpty { return nil }
            let average = levels.reduce(0, +) / Double(levels.count)
            return "\(name) \(NumberText.shortest((average * 10).rounded() / 10))"
        }
        return ears.isEmpty ? "no levels" : (ears + ["dBHL"]).joined(separator: " ")
    }

    private static func sentence(of prescription: VisionPrescription) -> String {
        let kind = prescription.type == VisionPrescription.contacts ? "contacts" : "glasses"
        let eyes = [("R", prescription.rightEye), ("L", prescription.leftEye)].compactMap {
            name, lens in
            lens?.sphere?.value(in: "D").map { "\(name) \(NumberText.shortest($0))" }
        }
        return eyes.isEmpty ? kind : ([kind] + eyes + ["D"]).joined(separator: " ")
    }
}
