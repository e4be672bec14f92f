import Foundation
import HealthEngine
import HealthStorage

// Reading the app's permissions (Semantics §8).
extension HKHealthStore {
    // MARK: Permissions

    /// Returns the app's current permissions for one type.
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

    /// Returns the code under which grants for a type are stored.
    ///
    /// - Throws: `errorInvalidArgument` for a type that is neither in the catalogue nor in the
    ///   store.
    func code(of type: HKObjectType) throws(HKError) -> Int32 {
        if let code = AuthorizationTypes.code(of: type) { return code }
        // A type that is not in the catalogue can occur in this store, from an imported export.
        if let code = try? connection.store.type(named: type.identifier).code { return code }
        throw HKError(.errorInvalidArgument, "Unknown type \(type.identifier).")
    }

    func sharingStatus(of type: HKObjectType) -> HKAuthorizationStatus {
        guard !(type is HKCorrelationType), let permission = try? permission(for: type),
            permission.wasRequested
        else { return .notDetermined }
        return permission.share == .granted ? .sharingAuthorized : .sharingDenied
    }

    /// Checks that the app may save samples of the types.
    ///
    /// - Throws: `errorAuthorizationNotDetermined` for a type that was never requested,
    ///   `errorAuthorizationDenied` for a type that was requested and may not be shared (Semantics
    ///   §8.6). With several such types, the error is about the first in order of identifiers.
    func requireSharing(_ types: Set<HKSampleType>) throws(HKError) {
        if case .assumed = configuration.authorization.rule { return }
        let permissions = try permissions()
        for type in types.sorted(by: { $0.identifier < $1.identifier }) {
            let permission = permissions[try code(of: type)] ?? AuthorizationRow()
            guard permission.share != .granted else { continue }
            guard permission.wasRequested else {
                throw notDetermined(type, missing(share: [type]))
            }
            throw HKError(
                .errorAuthorizationDenied,
                "Not authorized to share \(type.identifier).", missing: missing(share: [type]))
        }
    }

    /// Returns which samples of some types are visible to the app, as a parameter for the reads of
    /// the store.
    ///
    /// If reading is granted, the samples of all sources are visible. A limited grant hides samples
    /// of other sources before its date. If only sharing is granted, the app's own samples are
    /// visible. If neither is granted, nothing is visible (Semantics §8.3, §8.9, §8.11). A
    /// correlation is requested through the types of its members and is visible if all its members
    /// are (Semantics §8.10).
    ///
    /// - Throws: `errorAuthorizationNotDetermined` for a type that was never requested,
    ///   `errorDatabaseInaccessible` while the device is locked, or another `HKError` if the store
    ///   cannot be opened.
    func visibility(toRead types: [HKObjectType]) throws -> Visibility {
        let store = try connection.readableStore
        let floor = earliestReference
        if case .assumed = configuration.authorization.rule {
            return Visibility(others: Visibility.Grant(earliest: floor))
        }
        let permissions = try withDosePermission(try permissions())
        let own = try translatingErrors {
            try store.sourceNumber(ofBundleIdentifier: identity.bundleIdentifier)
        }
        var visibility = Visibility(others: .none)
        for type in types {
            let code = try code(of: type)
            guard isRequested(type, code, permissions) else {
                throw notDetermined(type, missing(read: [type]))
            }
            if type is HKCorrelationType {
                visibility.grants[code] = Visibility.Grant(earliest: floor)
                for (member, permission) in permissions {
                    visibility.grants[member] = permission.grant(own: own, floor: floor)
                }
            } else if type.requiresPerObjectAuthorization() {
                visibility.grants[code] = try objectGrant(
                    permissions[code] ?? AuthorizationRow(), of: code, own: own, floor: floor)
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

    /// Whether access to a type was requested, to share or to read.
    ///
    /// Correlation types cannot be requested. For them, this is whether all required member types
    /// were requested or, without required members, any quantity type.
    private func isRequested(
        _ type: HKObjectType, _ code: Int32, _ permissions: [Int32: AuthorizationRow]
    ) -> Bool {
        guard type is HKCorrelationType else { return permissions[code]?.wasRequested == true }
        let required = (type.row?.requiredMembers ?? []).compactMap { Catalogue.type(named: $0) }
        if !required.isEmpty {
            return required.allSatisfy { permissions[$0.code]?.wasRequested == true }
        }
        return permissions.contains {
            $1.wasRequested && Catalogue.type(code: $0)?.kind == .quantity
        }
    }
}

extension HKHealthStore {
    /// Returns the error of a call for a type that this handle's app has not requested.
    func notDetermined(_ type: HKObjectType, _ missing: MissingGrant?) -> HKError {
        HKError(
            .errorAuthorizationNotDetermined,
            "\(identity.bundleIdentifier) has not requested \(type.identifier). Call "
                + "requestAuthorization(toShare:read:) on this app's handle first.",
            missing: missing)
    }
}

extension AuthorizationRow {
    static let everything = AuthorizationRow(share: .granted, read: .granted)

    /// Whether access to the type was requested, to share or to read (Semantics §8.11).
    var wasRequested: Bool { share != .notDetermined || read != .notDetermined }

    /// Returns which samples of the type the store may return to the app.
    ///
    /// - Parameters:
    ///   - own: The number of the app's source in the store; nil if the app has saved nothing.
    ///   - floor: Samples that start before this time, in seconds since 2001-01-01T00:00:00Z, are
    ///     never returned; nil for no limit.
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
