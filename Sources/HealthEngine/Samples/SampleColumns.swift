/// Adjacent samples of one type as columns, in (start, key) order. Stores keep packed columns, and
/// statistics read them faster than rows.
///
/// The arrays are reused, so that reading a million samples allocates memory for a few thousand.
package struct SampleColumns: Sendable {
    /// The starts, in reference seconds.
    package var start: [Double] = []
    /// The ends, in reference seconds.
    package var end: [Double] = []
    /// The values in the unit of the origin.
    package var value: [Double] = []
    /// The distinct origins, as indices into the table of the batch or the store.
    package var origins: [Int32] = []
    /// The index of each sample's origin in ``origins``; empty if all samples have the first one.
    package var origin: [UInt16] = []
    /// The creation dates, NaN if unknown. If no two samples have the same start, only the first
    /// sample's date is kept: creation dates only decide between samples with equal starts.
    package var created: [Double] = []
    /// Whether all times and values are finite, no sample ends before it starts, and none has an
    /// undetermined end.
    package var isPlain = true

    package init() {}

    package var count: Int { start.count }

    /// Returns a sample. Its creation date is NaN if it was not kept.
    package func sample(_ index: Int, type: Int32) -> Sample {
        let place = origin.isEmpty ? 0 : Int(origin[index])
        return Sample(
            type: type, origin: origins.indices.contains(place) ? origins[place] : -1,
            start: start[index], end: end[index],
            created: created.indices.contains(index) ? created[index] : .nan, value: value[index])
    }
}
