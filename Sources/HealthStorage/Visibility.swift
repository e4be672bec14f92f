/// What a reader may see: everything, or per type from a date on or only its own samples.
///
/// Every read of a store takes one, so that permissions hold for samples, statistics and change
/// feeds alike (healthkit-semantics §8.3, §8.9).
public struct Visibility: Hashable, Sendable {
    /// What is visible of one type.
    public struct Grant: Hashable, Sendable {
        /// Samples that start before this reference time are hidden; nil hides none.
        public var earliest: Double?
        /// Only samples of this source (its number in the store) are visible; nil shows all.
        public var onlySource: Int64?
        /// Nothing at all is visible.
        public var isHidden: Bool

        public init(earliest: Double? = nil, onlySource: Int64? = nil, isHidden: Bool = false) {
            self.earliest = earliest
            self.onlySource = onlySource
            self.isHidden = isHidden
        }

        public static let all = Grant()
        public static let none = Grant(isHidden: true)
    }

    /// Grants by type code; `others` for types not listed.
    public var grants: [Int32: Grant]
    public var others: Grant

    public init(grants: [Int32: Grant] = [:], others: Grant = .all) {
        self.grants = grants
        self.others = others
    }

    /// The owner's own view.
    public static let everything = Visibility()

    /// What may be seen of the type with this code.
    public subscript(type: Int32) -> Grant { grants[type] ?? others }
}
