/// How much of anything one export may hold; what is beyond is quarantined, counted and reported.
///
/// Each limit lies far above what Apple's exports of whole lives hold, and far below what makes memory
/// or time grow out of proportion to the file.
enum ExportLimits {
    /// Bytes of a tag, `MetadataEntry` apart: Apple's are shorter than 2 KiB. It bounds each name, version,
    /// unit, device and date in it.
    static let longestTag = 16 << 10
    /// Origins (source, version, device and unit) told apart in one file, and the bytes of their texts.
    static let mostOrigins = 50_000
    static let mostOriginBytes = 16 << 20
    /// Types told apart in one file; HealthKit has some two hundred.
    static let mostTypes = 1000
    /// Elements kept as text that wait to be written.
    static let mostWaitingElements = 4096
    /// Pairs of type and origin that are counted before the counts are added up.
    static let mostPlaces = 1 << 16
    /// Bytes of metadata of a correlation or workout and its members, from which on the rest of the
    /// members stand for themselves.
    static let longestGroupMetadata = 16 << 20
}
