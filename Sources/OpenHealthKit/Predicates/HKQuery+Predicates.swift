public import Foundation

// Predicates for every kind of object. A predicate selects and never clips (Semantics §2.2);
// what is wrong with one is reported as `errorInvalidArgument` by the query that runs it.

extension HKQuery {
    /// Objects that have a value for a metadata key.
    public class func predicateForObjects(withMetadataKey key: String) -> NSPredicate {
        HKPredicate(metadata(key, .notEqual, .null))
    }

    /// Objects whose metadata value is one of these; no object if there are none.
    public class func predicateForObjects(
        withMetadataKey key: String, allowedValues: [Any]
    ) -> NSPredicate {
        HKPredicate(metadata(key, .oneOf, .list(allowedValues.map { PredicateConstant($0) })))
    }

    /// Objects whose metadata value stands so to a value: text, number, date or quantity.
    ///
    /// An object without the key matches `.notEqualTo` only (Semantics §2.9).
    public class func predicateForObjects(
        withMetadataKey key: String, operatorType: _ComparisonOperator, value: Any
    ) -> NSPredicate {
        HKPredicate(metadata(key, PredicateOperator(operatorType), PredicateConstant(value)))
    }

    /// Objects that a source wrote; `HKSource.default()` is the app whose store runs the query.
    public class func predicateForObjects(from source: HKSource) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathSource, .equal, .source(source)))
    }

    /// Objects that one of these sources wrote.
    public class func predicateForObjects(from sources: Set<HKSource>) -> NSPredicate {
        HKPredicate(
            .test(HKPredicateKeyPathSource, .oneOf, .ordered(sources.map { .source($0) })))
    }

    /// Objects that one of these revisions wrote; ``HKSourceRevisionAnyVersion`` and its kin stand
    /// for every version, product and system, nil for a version that isn't known.
    public class func predicateForObjects(
        from sourceRevisions: Set<HKSourceRevision>
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathSourceRevision, .oneOf,
                .ordered(sourceRevisions.map { .revision($0) })))
    }

    /// Objects measured with one of these devices, equal in all parts.
    public class func predicateForObjects(from devices: Set<HKDevice>) -> NSPredicate {
        HKPredicate(
            .test(HKPredicateKeyPathDevice, .oneOf, .ordered(devices.map { .device($0) })))
    }

    /// Objects whose device has one of these values for a property.
    ///
    /// - Parameter key: One of the `HKDevicePropertyKey…` constants; any other is refused when the
    ///   query runs.
    public class func predicateForObjects(
        withDeviceProperty key: String, allowedValues: Set<String>
    ) -> NSPredicate {
        HKPredicate(
            .test(
                PredicateKey.path(ofDeviceProperty: key), .oneOf,
                .list(allowedValues.sorted().map { .string($0) })))
    }

    /// The object with a UUID.
    public class func predicateForObject(with UUID: UUID) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathUUID, .equal, .uuid(UUID)))
    }

    /// The objects with these UUIDs.
    public class func predicateForObjects(with UUIDs: Set<UUID>) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathUUID, .oneOf, .ordered(UUIDs.map { .uuid($0) })))
    }

    /// Samples that are no member of a correlation: readings entered by themselves.
    public class func predicateForObjectsWithNoCorrelation() -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathCorrelation, .equal, .null))
    }

    private class func metadata(
        _ key: String, _ comparison: PredicateOperator, _ constant: PredicateConstant
    ) -> PredicateNode {
        .test("\(HKPredicateKeyPathMetadata).\(key)", comparison, constant)
    }
}

extension PredicateNode {
    /// A comparison by its parts.
    static func test(
        _ keyPath: String, _ comparison: PredicateOperator, _ constant: PredicateConstant
    ) -> PredicateNode {
        .comparison(
            PredicateComparison(keyPath: keyPath, comparison: comparison, constant: constant))
    }
}
