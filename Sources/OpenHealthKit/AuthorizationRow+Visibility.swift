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
            // A limited history is others' history: own samples hang on the permission to share.
            let exempt = share == .granted && earliest != nil ? own : nil
            return Visibility.Grant(
                earliest: [earliest, floor].compactMap { $0 }.max(),
                exempt: exempt.map { Visibility.Grant.Exemption(source: $0, earliest: floor) })
        }
        guard share == .granted, let own else { return .none }
        return Visibility.Grant(earliest: floor, onlySource: own)
    }
}
