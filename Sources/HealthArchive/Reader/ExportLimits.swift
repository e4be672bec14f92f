/// Limits on the contents of one export. Anything above them is quarantined, counted and reported.
///
/// Each limit is far above a real lifetime export, and far below what would make memory or time
/// grow faster than the file.
enum ExportLimits {
    /// The maximum bytes of a tag, except `MetadataEntry`. Apple's are shorter than 2 KiB. It also
    /// bounds each name, version, unit, device and date in the tag.
    static let longestTag = 16 << 10
    /// The maximum number of distinct origins (source, version, device and unit) in one file, and
    /// the maximum bytes of their texts.
    static let mostOrigins = 50_000
    static let mostOriginBytes = 16 << 20
    /// The maximum number of distinct types in one file; HealthKit has about two hundred.
    static let mostTypes = 1000
    /// The maximum number of elements kept as text that wait to be written.
    static let mostWaitingElements = 4096
    /// The maximum number of counted pairs of type and origin before the counts are merged.
    static let mostPlaces = 1 << 16
    /// The maximum bytes of metadata of a correlation or workout and its members. Further members
    /// are read as separate records.
    static let longestGroupMetadata = 16 << 20
}
