/// The report of the portable conformance suite on this package.
enum OwnConformance {
    static let report = "{}"
}
