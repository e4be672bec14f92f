import HealthStorage

extension AuthorizationRow {
    static let everything = AuthorizationRow(share: .granted, read: .granted)

    /// Whether the person was asked about the type at all, to share or to read (§8.11).
    var isAsked: Bool { share != .notAsked || read != .notAsked }

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
}
