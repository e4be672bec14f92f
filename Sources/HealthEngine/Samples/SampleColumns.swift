/// Neighbouring samples of one type, column by column and in (start, key) order: what a store keeps
/// packed, and what statistics read fastest.
///
/// Columns are used again and again, so that reading a million samples allocates for a few thousand.
package struct SampleColumns: Sendable {
    package var start: [Double] = []
    package var end: [Double] = []
    /// In the unit of the origin.
    package var value: [Double] = []
    /// The origins that occur, by their index in the batch or the store's table.
    package var origins: [Int32] = []
    /// Which of ``origins`` each sample has; empty where all have the first.
    package var origin: [UInt16] = []
    /// When each was saved, NaN where that is unknown; of the first one alone where no two begin
    /// together, since it decides between samples of one start only.
    package var created: [Double] = []
    /// Whether all times and values are finite numbers, no sample ends before it starts, and none has
    /// an undetermined end.
    package var isPlain = true

    package init() {}

    package var count: Int { start.count }

    package func sample(_ index: Int, type: Int32) -> Sample {
        let place = origin.isEmpty ? 0 : Int(origin[index])
        return Sample(
            type: type, origin: origins.indices.contains(place) ? origins[place] : -1,
            start: start[index], end: end[index],
            created: created.indices.contains(index) ? created[index] : .nan, value: value[index])
    }
}
