/// A sender's statement that it has sent all samples of a type that it can read (Semantics §15.6).
///
/// A store takes it in the transaction of the page that it came with, after the page's samples.
package struct IntakeCompletion: Hashable, Sendable {
    /// One request of several that make a run together. The statement holds when all have arrived.
    package struct Part: Hashable, Sendable {
        /// The sender's name of what is sent in parts, such as a metric.
        package var series: String
        /// The sender's identifier of the run.
        package var run: String
        /// The number of the request in the run, from 0.
        package var index: Int
        /// The number of requests of the run.
        package var count: Int

        package init(series: String, run: String, index: Int, count: Int) {
            self.series = series
            self.run = run
            self.index = index
            self.count = count
        }
    }

    /// The catalogue's code of the type.
    package var type: Int32
    /// The bundle identifier of the only source that was sent; nil for all.
    package var bundleIdentifier: String?
    /// The name of the only source that was sent, if it has no bundle identifier; nil for all.
    package var sourceName: String?
    /// The earliest start of what was sent, in reference seconds; nil for the first sample that the
    /// device has sent.
    package var from: Double?
    /// The end (exclusive) of the starts of what was sent, in reference seconds; nil for the last
    /// sample that the device has sent.
    package var to: Double?
    /// The part of the run that this request is; nil for the only or last one.
    package var part: Part?

    package init(
        type: Int32, bundleIdentifier: String? = nil, sourceName: String? = nil,
        from: Double? = nil, to: Double? = nil, part: Part? = nil
    ) {
        self.type = type
        self.bundleIdentifier = bundleIdentifier
        self.sourceName = sourceName
        self.from = from
        self.to = to
        self.part = part
    }
}
