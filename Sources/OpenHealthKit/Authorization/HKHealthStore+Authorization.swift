import Foundation
import HealthEngine
import HealthStorage

// Reading the app's permissions (Semantics §8).
extension HKHealthStore {
    // MARK: Permissions

    /// The current permissions for one type.
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

    /// The code under which grants for a type are stored.
    func code(of type: HKObjectType) throws(HKError) -> Int32 {
        if let code = AuthorizationTypes.code(of: type) { return code }
        // A type that is not in the catalogue but occurs in this store, from an export.
        if let code = try? connection.store.type(named: type.identifier).code { return code }
        throw HKError(.errorInvalidArgument, "Unknown type \(type.identifier).")
    }

    func sharingStatus(of type: HKObjectType) -> HKAuthorizationStatus {
        guard !(type is HKCorrelationType), let permission = try? permission(for: type),
            permission.isAsked
        else { return .notDetermined }
        return permission.share == .granted ? .sharingAuthorized : .sharingDenied
    }

    /// Checks that the app may save samples of the types.
    ///
    /// - Throws: `errorAuthorizationNotDetermined` (5) for a type that was never requested,
    ///   `errorAuthorizationDenied` (4) for a denied one (§8.6).
    func permitSharing(_ types: Set<HKSampleType>) throws(HKError) {
        if case .assumed = configuration.authorization.rule { return }
        let permissions = try permissions()
        for type in types.sorted(by: { $0.identifier < $1.identifier }) {
            let permission = permissions[try code(of: type)] ?? AuthorizationRow()
            guard permission.share != .granted else { continue }
            guard permission.isAsked else { throw .notDetermined(type, missing(share: [type])) }
            throw HKError(
                .errorAuthorizationDenied,
                "Not authorized to share \(type.identifier).", missing: missing(share: [type]))
        }
    }

    /// The samples that are visible to the app for some types, as a filter for the store.
    ///
    /// A type requested for sharing only shows the app's own samples. So does a type with denied
    /// reading while sharing is granted. Without either, nothing is visible (§8.3, §8.11). A
    /// correlation is requested through the types of its members and is visible if all its members
    /// are (§8.10).
    ///
    /// - Throws: `HKError` with code 5 for a type that was never requested, 6 while the device is
    ///   locked, 1 or 2 if health data is unavailable.
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
                throw HKError.notDetermined(type, missing(read: [type]))
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

    /// Whether access to a type was requested.
    /// For a correlation type: whether every required member type was requested or, without
    /// required members, any quantity type.
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
    fileprivate static func notDetermined(
        _ type: HKObjectType, _ missing: MissingGrant?
    ) -> HKError {
        HKError(
            .errorAuthorizationNotDetermined,
            "Authorization for \(type.identifier) is not determined: ask with "
                + "requestAuthorization first.", missing: missing)
    }
}

extension AuthorizationRow {
    static let everything = AuthorizationRow(share: .granted, read: .granted)

    /// Whether access to the type was requested, to share or to read (§8.11).
    var isAsked: Bool { share != .notAsked || read != .notAsked }

    /// The samples of the type that a store may return.
    ///
    /// - Parameters:
    ///   - own: The number of the app's source in the store; nil if the app has saved nothing.
    ///   - floor: Samples that start before this time (seconds since 2001) are never returned.
    func grant(own: Int64?, floor: Double?) -> Visibility.Grant {
        if read == .granted {
            // A limited history restricts other sources only; own samples depend on the share
            // permission.
            let exempt = share == .granted && earliest != nil ? own : nil
            return Visibility.Grant(
                earliest: [earliest, floor].compactMap { $0 }.max(),
                exempt: exempt.map { Visibility.Grant.Exemption(source: $0, earliest: floor) })
        }
        guard share == .granted, let own else { return .none }
        return Visibility.Grant(earliest: floor, onlySource: own)
    }
}
