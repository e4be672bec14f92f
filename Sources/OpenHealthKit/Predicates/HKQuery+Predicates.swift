public import Foundation

// Predicates for all kinds of objects. A predicate selects whole objects: it never clips one to an
// interval (Semantics §2.2). Errors in a predicate are reported as `errorInvalidArgument` by the
// query that uses it.

extension HKQuery {
    /// Matches objects that have a value for a metadata key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The predicate.
    public class func predicateForObjects(withMetadataKey key: String) -> NSPredicate {
        HKPredicate(metadata(key, .notEqual, .null))
    }

    /// Matches objects whose metadata value is one of the given values.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - allowedValues: Strings, numbers, dates or quantities. An empty array matches no object.
    /// - Returns: The predicate.
    public class func predicateForObjects(
        withMetadataKey key: String, allowedValues: [Any]
    ) -> NSPredicate {
        HKPredicate(metadata(key, .oneOf, .list(allowedValues.map { PredicateConstant($0) })))
    }

    /// Matches objects whose metadata value compares to a value as the operator requires.
    ///
    /// An object without the key matches only `.notEqualTo`. If the value is `NSNull`, such an
    /// object matches only `.equalTo` instead (Semantics §2.9).
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - operatorType: The comparison operator; the metadata value is on the left side.
    ///   - value: A string, number, date, quantity or `NSNull`; an array for `.in` and `.between`.
    /// - Returns: The predicate.
    public class func predicateForObjects(
        withMetadataKey key: String, operatorType: _ComparisonOperator, value: Any
    ) -> NSPredicate {
        HKPredicate(metadata(key, PredicateOperator(operatorType), PredicateConstant(value)))
    }

    /// Matches objects of a source.
    ///
    /// - Parameter source: The source. `HKSource.default()` stands for the app of the handle that
    ///   executes the query.
    /// - Returns: The predicate.
    public class func predicateForObjects(from source: HKSource) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathSource, .equal, .source(source)))
    }

    /// Matches objects of several sources.
    ///
    /// - Parameter sources: The sources.
    /// - Returns: The predicate.
    public class func predicateForObjects(from sources: Set<HKSource>) -> NSPredicate {
        HKPredicate(
            .test(HKPredicateKeyPathSource, .oneOf, .ordered(sources.map { .source($0) })))
    }

    /// Matches objects of the given source revisions.
    ///
    /// - Parameter sourceRevisions: The revisions. ``HKSourceRevisionAnyVersion`` and similar
    ///   constants match every version, product type or operating system; nil matches an unknown
    ///   version or product type.
    /// - Returns: The predicate.
    public class func predicateForObjects(
        from sourceRevisions: Set<HKSourceRevision>
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathSourceRevision, .oneOf,
                .ordered(sourceRevisions.map { .revision($0) })))
    }

    /// Matches objects recorded with one of the given devices.
    ///
    /// - Parameter devices: The devices. A device matches if all its properties are equal.
    /// - Returns: The predicate.
    public class func predicateForObjects(from devices: Set<HKDevice>) -> NSPredicate {
        HKPredicate(
            .test(HKPredicateKeyPathDevice, .oneOf, .ordered(devices.map { .device($0) })))
    }

    /// Matches objects whose device has one of the given values for a property.
    ///
    /// - Parameters:
    ///   - key: An `HKDevicePropertyKey…` constant; a query rejects other keys.
    ///   - allowedValues: The values.
    /// - Returns: The predicate.
    public class func predicateForObjects(
        withDeviceProperty key: String, allowedValues: Set<String>
    ) -> NSPredicate {
        HKPredicate(
            .test(
                PredicateKey.path(ofDeviceProperty: key), .oneOf,
                .list(allowedValues.sorted().map { .string($0) })))
    }

    /// Matches the object with a UUID.
    ///
    /// - Parameter UUID: The UUID.
    /// - Returns: The predicate.
    public class func predicateForObject(with UUID: UUID) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathUUID, .equal, .uuid(UUID)))
    }

    /// Matches the objects with the given UUIDs.
    ///
    /// - Parameter UUIDs: The UUIDs.
    /// - Returns: The predicate.
    public class func predicateForObjects(with UUIDs: Set<UUID>) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathUUID, .oneOf, .ordered(UUIDs.map { .uuid($0) })))
    }

    /// Matches samples that are not members of a correlation.
    ///
    /// - Returns: The predicate.
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
    static func test(
        _ keyPath: String, _ comparison: PredicateOperator, _ constant: PredicateConstant
    ) -> PredicateNode {
        .comparison(
            PredicateComparison(keyPath: keyPath, comparison: comparison, constant: constant))
    }
}
