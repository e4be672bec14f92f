import Foundation
import HealthEngine
import HealthStorage

// What the app may do, and asking for more (Semantics §8).
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
    /// for through its members' types and shows where all its members do (§8.10).
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
            guard isAsked(type, code, permissions) else {
                throw HKError.notDetermined(type, hint(for: [], [type]))
            }
            if type is HKCorrelationType {
                visibility.grants[code] = Visibility.Grant(earliest: floor)
                for (member, permission) in permissions {
                    visibility.grants[member] = permission.grant(own: own, floor: floor)
                }
            } else {
                visibility.grants[code] = permissions[code]?.grant(own: own, floor: floor)
            }
        }
        return visibility
    }

    private var earliestReference: Double? {
        let date = configuration.earliestPermittedSampleDate
        return date == .distantPast ? nil : date.timeIntervalSinceReferenceDate
    }

    /// Whether the person was asked about a type; about a correlation's, whether they were about
    /// each type it must have members of, or without such, about any it may have.
    private func isAsked(
        _ type: HKObjectType, _ code: Int32, _ permissions: [Int32: AuthorizationRow]
    ) -> Bool {
        guard type is HKCorrelationType else { return permissions[code]?.isAsked == true }
        let required = (type.row?.requiredMembers ?? []).compactMap { Catalogue.type(named: $0) }
        if !required.isEmpty {
            return required.allSatisfy { permissions[$0.code]?.isAsked == true }
        }
        return permissions.contains { $1.isAsked && Catalogue.type(code: $0)?.kind == .quantity }
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
