package import HealthStorage

extension StoreError {
    /// The description, followed by ``StoreError/Reason/pageAdvice`` if there is any.
    var pageSentence: String { reason.pageAdvice.map { "\(description) \($0)" } ?? description }
}

extension StoreError.Reason {
    /// What a person can do on the pages about an invalid request; nil for other errors.
    package var pageAdvice: String? {
        switch self {
        case .unknownType: "The Data page lists the types of this store."
        case .unknownSource(_, let known, let count) where count > known.count:
            "The Data page lists all sources."
        case .ambiguousSource: "Use one of these identifiers."
        case .notSummed: "Choose a summed type, for example stepCount."
        case .tooManySources: "Exclude some of them, or choose days with fewer sources."
        case .invalidNote(.tooMany): "Remove some of them first."
        default: nil
        }
    }
}
