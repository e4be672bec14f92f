import Foundation
import HealthEngine
import HealthStorage

// What the app may do, and asking for more (healthkit-semantics §8).
extension HKHealthStore {
    // MARK: What is known

    /// Answers so far about one type.
    func permission(for type: HKObjectType) throws(HKError) -> AuthorizationRow {
        if case .assumed = configuration.authorization.rule { return .everything }
        return try permissions()[try code(of: type)] ?? AuthorizationRow()
    }

    func permissions() throws(HKError) -> [Int32: AuthorizationRow] {
        let store = try connection.store
        return try translatingErrors {
            try store.authorization(of: identity.bundleIdentifier)
        }
    }

    /// The number under which answers about a type are kept.
    func code(of type: HKObjectType) throws(HKError) -> Int32 {
        if let code = AuthorizationTypes.code(of: type) { return code }
        // A type that only this store has met, in an export.
        if let code = try? connection.store.type(named: type.identifier).code { return code }
        throw HKError(.errorInvalidArgument, "There is no type \(type.identifier).")
    }

    func sharingStatus(of type: HKObjectType) -> HKAuthorizationStatus {
        guard !(type is HKCorrelationType), let permission = try? permission(for: type),
            permission.isAsked
        else { return .notDetermined }
        return permission.share == .granted ? .sharingAuthorized : .sharingDenied
    }

    /// - Throws: code 5 for a type nobody was asked about, 4 for one that was denied (§8.6).
    func permitSharing(_ types: Set<HKSampleType>) throws(HKError) {
        if case .assumed = configuration.authorization.rule { return }
        let permissions = try permissions()
        for type in types.sorted(by: { $0.identifier < $1.identifier }) {
            let permission = permissions[try code(of: type)] ?? AuthorizationRow()
            guard permission.share != .granted else { continue }
            guard permission.isAsked else { throw .notDetermined(type, hint(for: [type], [])) }
            throw HKError(
                .errorAuthorizationDenied,
                "Not authorized to share \(type.identifier)." + hint(for: [type], []))
        }
    }

    /// What the app may see of some types, as stores filter by it.
    ///
    /// A type asked for only to share shows the app's own samples, as does a denied one while
    /// sharing is granted; with neither nothing is visible (§8.3, §8.11). A correlation is asked
    /// for through its members' types: see ``isVisible(_:)``.
    ///
    /// - Throws: `HKError` of code 5 for a type nobody was asked about, 6 while the device is locked,
    ///   1 or 2 without health data.
    func visibility(toRead types: [HKObjectType]) throws -> Visibility {
        let store = try connection.readableStore
        let floor = earliestReference
        if case .assumed = configuration.authorization.rule {
            return Visibility(others: Visibility.Grant(earliest: floor))
        }
        let permissions = try permissions()
        let own = try translatingErrors {
            try store.sourceNumber(ofBundleIdentifier: identity.bundleIdentifier)
        }
        var visibility = Visibility(others: .none)
        for type in types {
            let code = try code(of: type)
            let permission =
                type is HKCorrelationType
                ? memberPermission(of: type, permissions) : permissions[code] ?? AuthorizationRow()
            guard permission.isAsked else { throw HKError.notDetermined(type, hint(for: [], [type])) }
            visibility.grants[code] = permission.grant(own: own, floor: floor)
        }
        return visibility
    }

    private var earliestReference: Double? {
        let date = configuration.earliestPermittedSampleDate
        return date == .distantPast ? nil : date.timeIntervalSinceReferenceDate
    }

    /// What holds of a correlation type by its members' types: of a blood pressure's two both must
    /// be readable, of a meal's many one must, and ``isVisible(_:)`` decides about each meal.
    private func memberPermission(
        of type: HKObjectType, _ permissions: [Int32: AuthorizationRow]
    ) -> AuthorizationRow {
        let required = (type.row?.requiredMembers ?? []).compactMap { Catalogue.type(named: $0) }
        if !required.isEmpty {
            return AuthorizationRow(all: required.map { permissions[$0.code] ?? AuthorizationRow() })
        }
        let dietary = Catalogue.types.filter {
            $0.identifier.hasPrefix("HKQuantityTypeIdentifierDietary")
        }
        return AuthorizationRow(any: dietary.compactMap { permissions[$0.code] })
    }

    /// Whether a correlation may be shown: it is this app's own, or each member may be read (§8.10).
    func isVisible(_ correlation: HKCorrelation) throws -> Bool {
        if case .assumed = configuration.authorization.rule { return true }
        if correlation.sourceRevision.source.bundleIdentifier == identity.bundleIdentifier {
            return true
        }
        let permissions = try permissions()
        for member in correlation.objects {
            let permission = permissions[try code(of: member.sampleType)]
            guard permission?.reads(from: member.start) == true else { return false }
        }
        return true
    }
}

extension HKError {
    fileprivate static func notDetermined(_ type: HKObjectType, _ hint: String) -> HKError {
        HKError(
            .errorAuthorizationNotDetermined,
            "Authorization for \(type.identifier) is not determined: ask with "
                + "requestAuthorization first.\(hint)")
    }
}
