/// Why samples have no common timeline; holds no health value.
public enum TimelineError: Error, Hashable, Sendable {
    /// Samples of several types were given: their identifiers, in order.
    case mixedTypes([String])
    /// The catalogue doesn't know the type, and no unit was given.
    case unknownUnit(type: String)
    /// The unit doesn't suit the type.
    case incompatibleUnit(String, type: String)
}

extension TimelineError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .mixedTypes(let types):
            "samples of several types have no common timeline: \(types.joined(separator: ", "))"
        case .unknownUnit(let type): "no unit is known for \(type); give one"
        case .incompatibleUnit(let unit, let type): "the unit \(unit) doesn't suit \(type)"
        }
    }
}
