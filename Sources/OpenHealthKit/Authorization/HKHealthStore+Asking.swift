import Foundation
import HealthEngine
import HealthStorage

// Asking a person for permission, and answering in their place.
extension HKHealthStore {
    func ask(
        toShare share: Set<HKSampleType>, read: Set<HKObjectType>,
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // Not on the writing queue: a policy may take its time, and may itself save.
        handle { [self] in
            do {
                try request(share, read)
                completion(true, nil)
            } catch {
                completion(false, HKError(reporting: error))
            }
        }
    }

    private func request(_ share: Set<HKSampleType>, _ read: Set<HKObjectType>) throws(HKError) {
        _ = try connection.store
        try refuseDisallowed(share, read)
        let open = try undecided(share, read)
        guard !open.isEmpty else { return }
        switch configuration.authorization.rule {
        case .assumed: return
        case .stored:
            let (share, read) = (open.share.sortedByName, open.read.sortedByName)
            let command = grantCommand(share, read)
            connection.diagnostics.record(
                .permissionUndecided(app: identity.bundleIdentifier, command: command))
            throw HKError(
                .errorAuthorizationNotDetermined,
                "Nobody has decided yet what \(identity.name) may do. Allow it with: \(command)")
        case .ask(let answer):
            for type in open.types {
                let accesses = open.accesses(to: type)
                let answer = answer(
                    AuthorizationQuestion(app: identity, type: type, accesses: accesses))
                try record(answer, for: type, accesses)
            }
        }
    }

    /// §8.5, §8.12, §8.13.
    private func refuseDisallowed(
        _ share: Set<HKSampleType>, _ read: Set<HKObjectType>
    ) throws(HKError) {
        guard !share.isEmpty || !read.isEmpty else {
            throw HKError(.errorInvalidArgument, "Nothing is asked for: both sets are empty.")
        }
        let unsharable = share.filter { !AuthorizationTypes.canShare($0) }
        guard unsharable.isEmpty else {
            throw connection.misuse(
                HKError(
                    .errorInvalidArgument,
                    "Authorization to share the following types is disallowed: "
                        + unsharable.names))
        }
        let unreadable = read.filter { !AuthorizationTypes.canRead($0) }
        guard unreadable.isEmpty else {
            throw connection.misuse(
                HKError(
                    .errorInvalidArgument,
                    "Authorization to read the following types is disallowed: "
                        + unreadable.names))
        }
    }

    private struct OpenQuestions {
        var share: Set<HKSampleType> = []
        var read: Set<HKObjectType> = []

        var isEmpty: Bool { share.isEmpty && read.isEmpty }
        var types: [HKObjectType] { read.union(share).sortedByName }

        func accesses(to type: HKObjectType) -> Set<HealthDataAccess> {
            var accesses: Set<HealthDataAccess> = []
            if share.contains(where: { $0 == type }) { accesses.insert(.share) }
            if read.contains(type) { accesses.insert(.read) }
            return accesses
        }
    }

    private func undecided(
        _ share: Set<HKSampleType>, _ read: Set<HKObjectType>
    ) throws(HKError) -> OpenQuestions {
        var open = OpenQuestions()
        for type in share where try permission(for: type).share == .notAsked {
            open.share.insert(type)
        }
        for type in read where try permission(for: type).read == .notAsked {
            open.read.insert(type)
        }
        return open
    }

    func requestStatus(
        toShare share: Set<HKSampleType>, read: Set<HKObjectType>,
        _ completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        handle { [self] in
            do {
                try refuseDisallowed(share, read)
                let isSettled = try undecided(share, read).isEmpty
                completion(isSettled ? .unnecessary : .shouldRequest, nil)
            } catch {
                completion(.unknown, error)
            }
        }
    }

    func askForObjects(
        of type: HKObjectType, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        handle { [self] in
            do {
                guard type.requiresPerObjectAuthorization() else {
                    throw HKError(
                        .errorInvalidArgument,
                        "\(type.identifier) is not granted object by object.")
                }
                _ = try connection.store
                throw HKError.absent("Reading \(type.identifier)")
            } catch {
                completion(false, HKError(reporting: error))
            }
        }
    }
}

extension HKHealthStore {
    /// Answers in the person's place, as in the Settings app; nil makes it as if never asked. Not
    /// Apple's.
    ///
    /// ```swift
    /// try store.setAuthorization(.readOnly, for: [HKQuantityType(.stepCount)])  // sharing revoked
    /// ```
    /// - Throws: `HKError` if the store can't be opened, or doesn't know a type.
    public func setAuthorization(
        _ answer: AuthorizationAnswer?, for types: Set<HKObjectType>
    ) throws {
        for type in types {
            if let answer {
                try record(answer, for: type, [.share, .read])
            } else {
                try keep(AuthorizationRow(), for: type)
            }
        }
    }

    /// Keeps what was answered about the accesses that were asked.
    private func record(
        _ answer: AuthorizationAnswer, for type: HKObjectType, _ accesses: Set<HealthDataAccess>
    ) throws(HKError) {
        try connection.answering { _ throws(HKError) in
            var permission = try permissions()[try code(of: type)] ?? AuthorizationRow()
            permission.take(answer, about: accesses)
            try keep(permission, for: type)
        }
    }
}

extension AuthorizationRow {
    /// Takes over what was answered about the accesses that were asked.
    fileprivate mutating func take(
        _ answer: AuthorizationAnswer, about accesses: Set<HealthDataAccess>
    ) {
        if accesses.contains(.share) {
            share = answer.sharing == .granted ? .granted : .denied
        }
        if accesses.contains(.read) {
            earliest = nil
            switch answer.reading {
            case .denied: read = .denied
            case .granted: read = .granted
            case .since(let date):
                read = .granted
                earliest = date.timeIntervalSinceReferenceDate
            }
        }
    }
}

extension HKHealthStore {
    private func keep(_ row: AuthorizationRow, for type: HKObjectType) throws(HKError) {
        let store = try connection.store
        let code = try code(of: type)
        try translatingErrors {
            try store.setAuthorization([code: row], of: identity.bundleIdentifier)
        }
    }

    /// What to run for these to be allowed, where the person's store decides; else nothing.
    func hint(for share: [HKSampleType], _ read: [HKObjectType]) -> String {
        guard case .stored = configuration.authorization.rule else { return "" }
        return " Allow it with: " + grantCommand(share, read)
    }

    /// "openhealth grants allow com.example.app --read stepCount".
    func grantCommand(_ share: [HKSampleType], _ read: [HKObjectType]) -> String {
        var words = ["openhealth", "grants", "allow", identity.bundleIdentifier.quoted]
        func add(_ option: String, _ types: [HKObjectType]) {
            if !types.isEmpty { words += [option] + types.map(\.shortName) }
        }
        add("--share", share)
        add("--read", read)
        return words.joined(separator: " ")
    }
}

extension String {
    /// As a shell takes it for one word.
    fileprivate var quoted: String {
        let isPlain = allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "._-/".contains($0))
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: #"'\''"#) + "'"
    }
}

extension HKObjectType {
    /// As people write it: "stepCount"; the identifier where the catalogue has no name.
    var shortName: String {
        row?.name ?? Catalogue.characteristic(identifier: identifier)?.name ?? identifier
    }
}

extension Collection where Element: HKObjectType {
    /// In the order of their identifiers.
    fileprivate var sortedByName: [Element] { sorted { $0.identifier < $1.identifier } }
    fileprivate var names: String { sortedByName.map(\.identifier).joined(separator: ", ") }
}
