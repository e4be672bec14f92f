import Foundation
import GRDB

extension Error {
    /// Why HealthKit did not answer.
    var readingPause: PauseReason {
        switch (self as? HKError)?.code {
        case .errorAuthorizationNotDetermined: .notAsked
        case .errorAuthorizationDenied: .deniedOrEmpty
        case .errorDatabaseInaccessible: .locked
        default: .unanswered
        }
    }

    /// Whether it is the device's lock that stands in the way.
    var isLock: Bool { (self as? HKError)?.code == .errorDatabaseInaccessible }

    var isInvalidArgument: Bool { (self as? HKError)?.code == .errorInvalidArgument }

    var isUnasked: Bool { (self as? HKError)?.code == .errorAuthorizationNotDetermined }

    /// Whether there was no room to write.
    var isFullDisk: Bool {
        switch self {
        case let error as DatabaseError: error.resultCode == .SQLITE_FULL
        case let error as CocoaError: error.code == .fileWriteOutOfSpace
        case let error as POSIXError: error.code == .ENOSPC || error.code == .EDQUOT
        default: false
        }
    }
}
