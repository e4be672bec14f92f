/// Adjacent samples of one type in (start, key) order, as one array for each property. Stores keep
/// packed columns, because statistics read them faster than rows.
///
/// Readers reuse the arrays, so that memory does not grow with the number of samples read.
package struct SampleColumns: Sendable {
    /// The starts, in reference seconds.
    package var start: [Double] = []
    /// The ends, in reference seconds.
    package var end: [Double] = []
    /// The values in the unit of the origin.
    package var value: [Double] = []
    /// The distinct origins, as indices into the origins of the batch or the store.
    package var origins: [Int32] = []
    /// The index of each sample's origin in ``origins``; empty if all samples have the first one.
    package var origin: [UInt16] = []
    /// The creation dates in reference seconds, NaN if unknown. If no two samples have the same
    /// start, only the first sample's date is kept: creation dates only decide between samples with
    /// equal starts, and the first sample can have the start of the last sample of earlier columns.
    package var created: [Double] = []
    /// Whether all times and values are finite, no sample ends before it starts, and none has an
    /// undetermined end.
    package var isWellFormed = true

    package init() {}

    package var count: Int { start.count }

    /// Returns the sample at an index, with key 0 and without metadata. Its creation date is NaN if
    /// it was not kept.
    package func sample(_ index: Int, type: Int32) -> Sample {
        let originIndex = origin.isEmpty ? 0 : Int(origin[index])
        return Sample(
            type: type, origin: origins.indices.contains(originIndex) ? origins[originIndex] : -1,
            start: start[index], end: end[index],
            created: created.indices.contains(index) ? created[index] : .nan, value: value[index])
    }
}
