public import Foundation

/// Why a write was not completed, with the person's input.
///
/// ```swift
/// do {
///     try await writing.log(draft)
/// } catch {
///     show(error.sentence, keeping: error.draft)
/// }
/// ```
/// A refused write is not added to the journal, or is removed from it, and is not retried. The
/// exceptions are ``Reason/unconfirmed`` and ``Reason/interrupted``: ``WriteThrough/recover()``
/// completes those. An earlier attempt to write the same draft may still be in the journal. Writing
/// the draft again is safe in every case and never creates a second sample. In
/// ``Recovery/waiting(_:)`` the write stays in the journal, whatever the reason is.
///
/// The message contains no health value; the draft does.
public struct WriteError: Error, Sendable {
    /// Why a write was not completed.
    public enum Reason: Hashable, Sendable {
        /// The app has not requested permission to write the type.
        case notDetermined
        /// The person has denied permission to write the type. The permission can be granted in
        /// Settings.
        case denied
        /// The device is locked, or the mirror's file or a photo cannot be accessed.
        case locked
        /// The disk is full, so the journal, the mirror or a photo could not be written.
        case disk
        /// HealthKit has another sample with this sync identifier, which the write must not
        /// replace. Or the mirror has an entry with this identifier and other values. `version` is
        /// the version of that sample or entry; nil if it is not known.
        case conflict(version: Int?)
        /// The draft is invalid, or HealthKit rejected the sample as invalid. For a removal,
        /// HealthKit does not have the entry's type.
        case invalid(DraftFault)
        /// Another app or device saved the sample, and only that app or device can change it.
        case notOwn
        /// The mirror has no entry with the given UUID.
        case unknownEntry
        /// HealthKit does not show the sample, or did not at the last comparison, so it cannot be
        /// changed, removed or written again.
        case notVisible
        /// The entry has no sync identifier and cannot be replaced. Remove it and write a new one.
        case notReplaceable
        /// The sample was deleted, or its removal is pending. Use ``Draft/renewed()`` to write it
        /// again.
        case deleted
        /// HealthKit may have saved or deleted the sample, but that was not read back or not stored
        /// in the mirror. ``WriteThrough/recover()`` then completes the write. Or the write was
        /// refused but could not be removed from the journal. ``WriteThrough/recover()`` then tries
        /// it again.
        case unconfirmed
        /// The task was cancelled before the work started.
        case cancelled
        /// Another error interrupted the work. If the write is in the journal,
        /// ``WriteThrough/recover()`` completes it.
        case interrupted
        /// HealthKit is not available or not permitted on this device.
        case unavailable
        /// Another error of HealthKit or the mirror. The app can write the draft again.
        case failed
    }

    /// The draft of the write; nil for a removal.
    public let draft: Draft?
    /// Why the write was not completed.
    public let reason: Reason
    /// The original error, which may contain health values; nil if there was none.
    package let underlying: (any Error)?

    init(_ reason: Reason, _ draft: Draft?, _ underlying: (any Error)? = nil) {
        self.reason = reason
        self.draft = draft
        self.underlying = underlying
    }

    /// Whether the failed call may have left the write in the journal, to be completed by
    /// ``WriteThrough/recover()``. If false, a write of an earlier attempt with the same identifier
    /// may still be there. Meaningless for the error of ``Recovery/waiting(_:)``, whose write
    /// always stays in the journal.
    public var isJournalled: Bool { reason == .unconfirmed || reason == .interrupted }

    /// What happened and what the person can do, in English.
    public var sentence: String { reason.sentence }
}

extension WriteError: LocalizedError {
    public var errorDescription: String? { sentence }
}

extension WriteError: CustomStringConvertible {
    public var description: String { "WriteError: \(sentence)" }
}

extension WriteError.Reason {
    /// What happened and what the person can do, in English.
    public var sentence: String {
        switch self {
        case .notDetermined:
            "The app has not requested permission to write to Health. Allow it and save again."
        case .denied:
            "The app is not allowed to write this data to Health. "
                + "Allow it in Settings and save again."
        case .locked: "The device is locked. Unlock it and save again."
        case .disk: "The disk is full. Free some space and save again."
        case .conflict: "Health has a newer version of this entry. Check it and try again."
        case .invalid(let fault): fault.sentence
        case .notOwn: "The entry is from another app. Change it in that app."
        case .unknownEntry: "The entry no longer exists."
        case .notVisible: "Health does not return the entry at present, so it can't be changed."
        case .notReplaceable: "Health can't replace the entry. Remove it and enter it again."
        case .deleted: "The entry was deleted in Health. Enter it again to restore it."
        case .unconfirmed: "Health accepted the entry, but has not confirmed it yet."
        case .cancelled: "The operation was cancelled. Nothing was saved."
        case .interrupted: "The operation was interrupted. It will be completed later."
        case .unavailable: "Health is not available on this device."
        case .failed: "Health reported an error. Save again."
        }
    }
}

extension DraftFault {
    fileprivate var sentence: String {
        switch self {
        case .identifier: "Another entry with this identifier is being saved. Add a new entry."
        case .type: "Health does not support this type of entry."
        case .times: "The entry ends before it starts. Correct the times."
        case .value: "The value is not a number. Correct it."
        case .unit: "The unit does not fit the entry. Choose another unit."
        case .metadata: "A metadata value is not a number. Correct it."
        case .attachment: "A note, tag, number or photo is empty or can't be read. Correct it."
        case .refusedByHealthKit: "Health rejected the entry as invalid. Correct it."
        }
    }
}

extension WriteError.Reason {
    /// Creates the reason for an error of HealthKit.
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

    /// Creates the reason for an error of the mirror.
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
