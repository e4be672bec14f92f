import Foundation

extension Unavailability {
    /// Why HealthKit didn't answer, in a dashboard's words.
    init(_ error: any Error) {
        if let known = error as? Unavailability {
            self = known
            return
        }
        switch (error as? HKError)?.code {
        case .errorDatabaseInaccessible: self = .locked
        case .errorHealthDataUnavailable, .errorHealthDataRestricted: self = .noHealthData
        case .errorAuthorizationNotDetermined: self = .notAsked
        case .some:
            self = .failed("The health store could not answer: \(error.localizedDescription)")
        case nil: self = .failed("The health data could not be read.")
        }
    }
}
