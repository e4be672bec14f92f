import Foundation
import HealthStorage
import HealthSync
import OpenHealthKit

/// An error of a watcher, a mirror or the health store, with a message and advice for the user.
struct UserFacingSyncError: UserFacingError {
    var description: String

    init(_ error: any Error) { description = Self.sentence(error) }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as any UserFacingError: error.sentence
        case let error as SyncError: sentence(error)
        case let error as MirrorError: sentence(error)
        case let error as WriteError: error.sentence
        case let error as HKError: error.sentence
        default: "The operation failed: \(error.localizedDescription)"
        }
    }

    private static func sentence(_ error: SyncError) -> String {
        switch error {
        case .positionMoved: "Another process uses the same --name. Stop it, or use another name."
        case .newerFile(let version):
            "A file beside the store was written by a newer openhealth (version \(version)): use "
                + "the newer openhealth."
        case .foreignFile:
            "A file beside the store is not from openhealth: move it to another folder, or use "
                + "--store."
        case .busy: "The store is changing too fast. Try again."
        }
    }

    private static func sentence(_ error: MirrorError) -> String {
        switch error {
        case .diskFull: "The disk is full. Free some space and try again. Nothing was lost."
        case .busy: "Another process is using the weight diary's file. Try again."
        case .unavailable: "The file or its folder can't be opened: check its permissions."
        case .corrupt:
            "The weight diary's file beside the store is damaged. Move it to another folder: it is "
                + "rebuilt from the store, but without notes, tags and photos."
        case .unknownEntry: "The weight doesn't exist."
        case .unknownAttachment: "The note, tag or photo doesn't exist."
        case .invalidAttachment: "The note or tag is empty: enter some text."
        case .unknownPhoto: "The photo's file no longer exists."
        case .failed(let code): "The weight diary's file reports error \(code). Try again."
        }
    }
}

extension HKError {
    /// What happened: the message and advice of the underlying error of the store, or else the
    /// reason of this error.
    var sentence: String {
        (_nsError.userInfo[NSUnderlyingErrorKey] as? StoreError)?.sentence ?? reason
    }
}
