extension SampleFilter {
    /// Whether the filter has the same result for all samples of one type and origin: it tests only
    /// the source, its version, the device and the type.
    ///
    /// - Complexity: O(n) in the number of tests.
    package var testsOnlyOrigins: Bool {
        switch self {
        case .everything, .nothing: true
        case .and(let filters), .or(let filters): filters.allSatisfy(\.testsOnlyOrigins)
        case .not(let filter): filter.testsOnlyOrigins
        case .test(let attribute, _): attribute.isOfOrigin
        case .memberOf, .hasNoCorrelation, .workoutActivity: false
        }
    }

    /// Returns whether samples of an origin match. The filter must only test origins.
    ///
    /// - Parameters:
    ///   - origin: The origin.
    ///   - source: Its source; nil if it has none.
    ///   - type: The type of the samples.
    /// - Returns: Whether the samples match.
    package func matches(_ origin: Origin, of source: Source?, _ type: SampleType) -> Bool {
        matches(OriginFacts(origin: origin, source: source, typeIdentifier: type.identifier))
    }
}

extension SampleFilter.Attribute {
    fileprivate var isOfOrigin: Bool {
        switch self {
        case .type, .source, .sourceName, .sourceVersion, .productType, .operatingSystem, .device:
            true
        default: false
        }
    }
}

/// The properties that all samples of one type and origin share.
private struct OriginFacts: SampleFacts {
    let origin: Origin
    let source: Source?
    let typeIdentifier: String

    var start: Double { .nan }
    var end: Double { .nan }
    var uuid: SampleUUID { SampleUUID(high: 0, low: 0) }
    func metadata(_ key: String) -> MetadataValue? { nil }

    var bundleIdentifier: String? { source?.bundleIdentifier }
    var sourceName: String? { source?.name }
    var sourceVersion: String? { origin.version }
    var productType: String? { origin.productType }
    var operatingSystem: SystemVersion? {
        origin.operatingSystemVersion.flatMap { SystemVersion($0) }
    }
    var device: Device? { origin.device }
}
