import HealthEngine

extension SampleObjects {
    /// Creates the object of an audiogram or prescription; nil for other types. Without a content it
    /// is empty.
    static func measurement(_ record: SampleRecord, _ detail: SampleDetail?) -> HKSample? {
        switch record.sampleType {
        case is HKAudiogramSampleType:
            return HKAudiogramSample(
                _record: record, content: detail?.audiogram(ofType: "audiogram") ?? Audiogram())
        case is HKPrescriptionType:
            guard case .visionPrescription(let content) = detail else {
                return HKVisionPrescription.instance(
                    record, VisionPrescription(type: VisionPrescription.glasses))
            }
            return HKVisionPrescription.instance(record, content)
        default: return nil
        }
    }
}
