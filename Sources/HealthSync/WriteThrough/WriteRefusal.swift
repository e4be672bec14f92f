public import Foundation

/// Why a person's wish was not carried out, with their input and what they can do.
///
/// ```swift
/// do {
///     try await writing.log(draft)
/// } catch {
///     show(error.sentence, keeping: error.draft)
/// }
/// ```
/// Nothing that is refused is kept in the journal, so it isn't tried again by itself, except for
/// ``Reason/unconfirmed`` and ``Reason/interrupted``: those stay, and ``WriteThrough/recover()``
/// settles them. Logging the draft again is right in every case: it never makes two samples.
///
/// What it says names no health value; the draft does.
public struct WriteRefusal: Error, Sendable {
    /// What stood in the way.
    public enum Reason: Hashable, Sendable {
        /// The app has not asked to write this type yet: ask.
        case notDetermined
        /// The person doesn't let the app write this type: Settings can change that.
        case denied
        /// The device is locked: unlock it.
        case locked
        /// There is no room: free some.
        case disk
        /// HealthKit has this sample in a version that isn't older, which another device or the app
        /// wrote; nil if it can't be told which. Look at it, and decide again.
        case conflict(version: Int?)
        /// The draft can't be a sample: correct it.
        case invalid(DraftFault)
        /// Another app or device wrote this sample: only that can change it.
        case notOwn
        /// The mirror has no such entry.
        case unknownEntry
        /// HealthKit doesn't show this sample at present, so it can't be changed.
        case notVisible
        /// The entry has no sync identifier, so HealthKit can't replace it: remove it and log another.
        case notReplaceable
        /// The person deleted this sample: see ``Draft/renewed()`` to write it once more.
        case deleted
        /// HealthKit has it, but it couldn't be read back, or kept here: it is settled later.
        case unconfirmed
        /// The work was cancelled before anything was kept.
        case cancelled
        /// The work broke off: what became of it is found out later.
        case interrupted
        /// HealthKit is not to be had on this device, or isn't permitted.
        case unavailable
        /// Anything else: try again.
        case failed
    }

    /// What was to be written; nil for a removal.
    public let draft: Draft?
    public let reason: Reason
    /// What was reported; may hold values.
    package let underlying: (any Error)?

    init(_ reason: Reason, _ draft: Draft?, _ underlying: (any Error)? = nil) {
        self.reason = reason
        self.draft = draft
        self.underlying = underlying
    }

    /// Whether the journal keeps the wish, to be settled by ``WriteThrough/recover()``.
    public var isJournalled: Bool { reason == .unconfirmed || reason == .interrupted }

    /// What happened and what the person can do, in English.
    public var sentence: String { reason.sentence }
}

extension WriteRefusal: LocalizedError {
    public var errorDescription: String? { sentence }
}

extension WriteRefusal: CustomStringConvertible {
    public var description: String { "WriteRefusal: \(sentence)" }
}

extension WriteRefusal.Reason {
    /// What happened and what the person can do, in English.
    public var sentence: String {
        switch self {
        case .notDetermined:
            "This app has not asked to write to Health yet. Allow it, then save again."
        case .denied:
            "Health does not let this app write this. "
                + "Allow it in Settings, then save again."
        case .locked: "The device is locked. Unlock it, then save again."
        case .disk: "There is no room left. Free some, then save again."
        case .conflict: "Health has another version of this. Look at it, then decide again."
        case .invalid(let fault): fault.sentence
        case .notOwn: "Another app wrote this. Change it there."
        case .unknownEntry: "This entry is no longer kept."
        case .notVisible: "Health does not show this at present, so it can't be changed."
        case .notReplaceable: "Health can't replace this. Remove it and enter it again."
        case .deleted: "This was deleted in Health. Enter it as new to have it again."
        case .unconfirmed: "Health took this, but it can't be shown yet. It will be later."
        case .cancelled: "This was called off before anything was saved."
        case .interrupted: "This broke off. It will be settled the next time."
        case .unavailable: "Health is not available on this device."
        case .failed: "Health did not answer. Save again."
        }
    }
}

extension DraftFault {
    fileprivate var sentence: String {
        switch self {
        case .identifier: "This is already being saved as something else. Enter it as new."
        case .type: "Health can't keep this kind of entry."
        case .times: "This ends before it starts. Correct the times."
        case .value: "This is not a number. Correct it."
        case .unit: "This is not in a unit that suits it. Choose another."
        case .metadata: "A detail of this is not a number. Correct it."
        case .attachment: "A note, tag, number or photo is empty or can't be read. Correct it."
        case .refusedByHealthKit: "Health does not accept this. Correct it."
        }
    }
}

extension WriteRefusal.Reason {
    /// What HealthKit means by refusing to save or delete.
    init(_ error: HKError) {
        self =
            switch error.code {
            case .errorAuthorizationDenied, .errorRequiredAuthorizationDenied: .denied
            case .errorAuthorizationNotDetermined: .notDetermined
            case .errorDatabaseInaccessible: .locked
            case .errorInvalidArgument: .invalid(.refusedByHealthKit)
            case .errorHealthDataUnavailable, .errorHealthDataRestricted: .unavailable
            default: .failed
            }
    }

    /// What the mirror's file means by failing.
    init(_ error: MirrorError) {
        self =
            switch error {
            case .diskFull: .disk
            case .unavailable: .locked
            case .invalidAttachment, .unknownPhoto: .invalid(.attachment)
            case .unknownEntry: .unknownEntry
            default: .failed
            }
    }
}
