import HealthEngine
import HealthStorage

extension SampleStore {
    /// Returns the latest end of a type's samples and of Apple's totals of it, in reference seconds;
    /// nil without either.
    func latestEnd(of type: SampleType) throws -> Double? {
        let sample = try extent(of: SampleQuery(type))?.last
        let total = try receivedTotalsExtent(of: type)?.end
        return [sample, total].compactMap(\.self).max()
    }
}
