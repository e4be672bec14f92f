import HealthStorage

extension AuthorizationRow {
    static let everything = AuthorizationRow(share: .granted, read: .granted)

    /// Whether the person was asked about the type at all, to share or to read (§8.11).
    var isAsked: Bool { share != .notAsked || read != .notAsked }

    /// Whether a sample of another source may be read, by its start in reference seconds.
    func reads(from start: Double) -> Bool {
        read == .granted && earliest.map { start >= $0 } ?? true
    }

    /// What of the type a store may show.
    ///
    /// - Parameters:
    ///   - own: The app's number in the store; nil if it has saved nothing.
    ///   - floor: Nothing that starts before it is shown to anybody.
    func grant(own: Int64?, floor: Double?) -> Visibility.Grant {
        if read == .granted {
            return Visibility.Grant(earliest: [earliest, floor].compactMap { $0 }.max())
        }
        guard share == .granted, let own else { return .none }
        return Visibility.Grant(earliest: floor, onlySource: own)
    }

    /// What holds of something made of several parts, all of which count.
    init(all parts: [AuthorizationRow]) {
        self.init(
            share: parts.map(\.share).min { $0.rawValue < $1.rawValue } ?? .notAsked,
            read: parts.map(\.read).min { $0.rawValue < $1.rawValue } ?? .notAsked,
            earliest: parts.compactMap(\.earliest).max())
        // One part asked only to share, the other only to read: asked, and nothing allowed.
        if !isAsked, !parts.isEmpty, parts.allSatisfy(\.isAsked) { read = .denied }
    }

    /// What holds of something one of whose parts is enough.
    init(any parts: [AuthorizationRow]) {
        let readable = parts.filter { $0.read == .granted }
        let isUnlimited = readable.contains { $0.earliest == nil }
        self.init(
            share: parts.map(\.share).max { $0.rawValue < $1.rawValue } ?? .notAsked,
            read: parts.map(\.read).max { $0.rawValue < $1.rawValue } ?? .notAsked,
            earliest: isUnlimited ? nil : readable.compactMap(\.earliest).min())
    }
}
