/// Limits that bound the memory and time for one export. What happens above each limit is stated
/// with it, and is counted and reported if data is affected.
///
/// The limits on contents are far above a real lifetime export, and far below what would make
/// memory or time grow faster than the file.
enum ExportLimits {
    /// The maximum bytes of a sample's tag, and of a tag inside a sample except `MetadataEntry`. A
    /// sample above it is quarantined, an inner element is kept as text. Apple's tags are shorter
    /// than 2 KiB. The limit also bounds each name, version, unit, device and date in the tag.
    static let maximumTagLength = 16 << 10
    /// The maximum number of distinct origins (source, version, device and unit) in one file, and
    /// the maximum bytes of their attributes. Samples with further origins are quarantined.
    static let maximumOrigins = 50_000
    static let maximumOriginBytes = 16 << 20
    /// The maximum number of distinct types in one file; HealthKit has about two hundred. Samples
    /// of further types are quarantined.
    static let maximumTypes = 1000
    /// The number of elements kept as text from which on they are delivered without the batch.
    static let maximumWaitingElements = 4096
    /// The maximum number of clinical records, and the maximum bytes of their elements. Further
    /// ones are kept as text.
    static let maximumClinicalRecords = 100_000
    static let maximumClinicalRecordBytes = 64 << 20
    /// The number of counted pairs of type and origin above which, after a batch, the counts are
    /// added to the tally and cleared.
    static let maximumTypeOriginPairs = 1 << 16
    /// The maximum bytes of distinct metadata in a batch while the members of a correlation or
    /// workout are read. Above it, the group ends, further members are read as top-level records,
    /// and the file counts as damaged.
    static let maximumGroupMetadataLength = 16 << 20
}
